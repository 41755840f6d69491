#include "bench/roofline.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr double min_share_of_flops = 0.25;

}  // namespace

Roofline roofline(const Cost& cost, double output_bytes, const GpuPeaks& peaks, double l2_bytes) {
  const double memory_us = 1e6 * cost.bytes / peaks.copy_bytes_per_s;
  const double arithmetic_us = 1e6 * cost.flops / peaks.flops_per_s;
  Roofline roofline{.min_us = std::max(memory_us, arithmetic_us)};
  roofline.bound =
      memory_us >= arithmetic_us
          ? fmt::format("memory, {:.2f} TB/s", peaks.copy_bytes_per_s / 1e12)
          : fmt::format("{}, {:.0f} TFLOP/s", peaks.flops_unit, peaks.flops_per_s / 1e12);
  const double compulsory_bytes = cost.bytes - std::min(output_bytes, l2_bytes);
  roofline.impossible_us = std::max(1e6 * compulsory_bytes / peaks.memory_bytes_per_s,
                                    min_share_of_flops * arithmetic_us);
  return roofline;
}

}  // namespace robust_kbench
