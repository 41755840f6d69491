#include "device/gpu_peaks.hpp"

#include <algorithm>

#include "device/cuda_driver.hpp"
#include "device/cuda_stopwatch.hpp"
#include "device/gpu_facts.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t copy_bytes = std::size_t{256} << 20;
constexpr int timed_copies = 5;

// Float32 lanes of an SM of this compute capability.
double float32_lanes(int compute_capability) {
  return compute_capability <= 80 ? 64 : 128;
}

// Dense TF32 operations per SM and clock, from the whitepapers of A100 and H100.
double tf32_flops_per_clock(int compute_capability) {
  if (compute_capability >= 90) return 2048;
  return compute_capability >= 80 ? 1024 : 0;
}

double copy_bytes_per_s() {
  const CudaDriver& driver = cuda_driver();
  CudaDriver::Address from = 0;
  CudaDriver::Address to = 0;
  driver.check(driver.allocate(&from, copy_bytes), "cuMemAlloc");
  driver.check(driver.allocate(&to, copy_bytes), "cuMemAlloc");
  driver.check(driver.set_bytes_async(from, 0, copy_bytes, nullptr), "cuMemsetD8Async");
  const CudaStopwatch stopwatch;
  double best = 0;
  for (int i = 0; i < timed_copies; ++i) {
    stopwatch.start();
    driver.check(driver.copy_async(to, from, copy_bytes, nullptr), "cuMemcpyAsync");
    best = std::max(best, 2e9 * static_cast<double>(copy_bytes) /
                              static_cast<double>(std::max<std::uint64_t>(1, stopwatch.stop())));
  }
  driver.check(driver.free(from), "cuMemFree");
  driver.check(driver.free(to), "cuMemFree");
  return best;
}

GpuPeaks measured_gpu_peaks() {
  const GpuFacts& facts = gpu_facts();
  const double clocks_per_s = 1e6 * facts.sm_mhz * facts.multiprocessors;
  const int capability = cuda_facts().compute_capability;
  const double float32 = 2 * float32_lanes(capability) * clocks_per_s;
  const double tf32 = tf32_flops_per_clock(capability) / 3 * clocks_per_s;
  GpuPeaks peaks{.copy_bytes_per_s = copy_bytes_per_s(),
                 .memory_bytes_per_s = facts.memory_bytes_per_s,
                 .flops_per_s = std::max(float32, tf32),
                 .flops_unit = float32 > tf32 ? "float32" : "3xTF32"};
  // The driver may report no bandwidth, or less than a copy reaches.
  peaks.memory_bytes_per_s = std::max(peaks.memory_bytes_per_s, peaks.copy_bytes_per_s);
  return peaks;
}

}  // namespace

const GpuPeaks& gpu_peaks() {
  static const GpuPeaks peaks = measured_gpu_peaks();
  return peaks;
}

}  // namespace robust_kbench
