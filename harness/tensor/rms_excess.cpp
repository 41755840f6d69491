#include "tensor/rms_excess.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// Errors relative to the output. Rounding both factors of a product to TF32 or float16 costs
// 2.9e-4, and to two parts of bfloat16 3.4e-6. Sums of 1024 to 4096 terms err by 1e-6 to 7e-6 if an
// H100's tensor cores make them alone.
constexpr double least_of_rounded_numbers = 1e-4;
constexpr double least_of_coarse_sums = 8e-7;
constexpr std::int64_t least_terms_of_coarse_sums = 16;

std::string likely_cause(double relative, std::int64_t terms) {
  if (relative >= least_of_rounded_numbers) {
    return "\nThis is typical of numbers rounded to TF32, float16 or bfloat16.";
  }
  if (relative < least_of_coarse_sums || terms < least_terms_of_coarse_sums) return "";
  return "\nThis is typical of factors in two parts of bfloat16, and of sums left to a tensor "
         "core, "
         "which rounds them more coarsely than float32: add its results in float32, every 32 terms "
         "say.";
}

}  // namespace

std::string rms_excess(const std::string& output, const RmsLimit& limit,
                       const SquaredErrors& squares, std::int64_t calls) {
  if (squares.elements == 0) return "";
  if (squares.elements < min_judged_elements && calls < min_judged_calls) return "";
  const double size = squares.reference_rms();
  // Draws whose outputs are all zero, as a clamp may make them, do not show float32's error.
  if (limit.output == 0 && size > 0) return "";
  const double scale = limit.output > 0 ? std::max(1.0, size / limit.output) : 1.0;
  const double rms = squares.rms();
  if (rms <= scale * limit.most) return "";
  const double relative = size > 0 ? rms / size : 0.0;
  const std::string times = limit.float32 > 0
                                ? fmt::format("{:.3g} times that of float32 ({:.2g})",
                                              rms / (scale * limit.float32), scale * limit.float32)
                                : "and float32 is exact";
  return fmt::format(
      "Output '{}' is less precise than float32!\n\nRoot mean square of the errors of {} elements: "
      "{:.2g}, {}; up to {:.2g} is allowed{}",
      output, squares.elements, rms, times, scale * limit.most,
      likely_cause(relative, limit.terms));
}

}  // namespace robust_kbench
