#include "device/empty_call.hpp"

#include <vector>

#include "core/statistics.hpp"
#include "device/cuda_stopwatch.hpp"
#include "device/cuda_sweep.hpp"

namespace robust_kbench {
namespace {

constexpr int launches = 60;
constexpr int slow_launches = 10;  // the first ones, while the GPU's clocks rise

double measured_us(void (CudaSweep::*empty_call)(void* stream) const) {
  const CudaSweep sweep;
  const CudaStopwatch stopwatch;
  std::vector<double> times;
  for (int i = 0; i < launches; ++i) {
    sweep.run();
    stopwatch.start();
    (sweep.*empty_call)(nullptr);
    const auto ns = static_cast<double>(stopwatch.stop());
    if (i >= slow_launches) times.push_back(ns / 1e3);
  }
  return median(times);
}

}  // namespace

double empty_call_us(bool is_fill) {
  if (is_fill) {
    static const double fill_us = measured_us(&CudaSweep::launch_empty_fill);
    return fill_us;
  }
  static const double kernel_us = measured_us(&CudaSweep::launch_empty_kernel);
  return kernel_us;
}

}  // namespace robust_kbench
