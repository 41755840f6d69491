#include "runner/warm_estimate.hpp"

#include <chrono>
#include <vector>

#include "core/statistics.hpp"
#include "device/cuda_driver.hpp"
#include "device/cuda_spin.hpp"
#include "device/cuda_stopwatch.hpp"

namespace robust_kbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t max_calls = 100;
constexpr std::chrono::milliseconds enough{10};  // limit of repetitions
// About 50 us, like the L2 sweep of the estimator `robust`, so that both hide equally much of the
// launch.
constexpr std::uint64_t ahead_cycles = 90'000;

template <typename TimeCall>
Estimate median_of_calls(const TimeCall& time_call_us) {
  const auto begin = Clock::now();
  const double cold_us = time_call_us();
  // Cache contents matter little for a call that takes so long, so one call is enough.
  if (Clock::now() - begin > enough) return {.time_us = cold_us, .calls = 1, .note = ""};
  std::vector<double> times;
  const auto start = Clock::now();
  while (times.empty() || (times.size() < max_calls && Clock::now() - start < enough)) {
    times.push_back(time_call_us());
  }
  return {.time_us = median(times), .calls = static_cast<int>(times.size()), .note = ""};
}

}  // namespace

Estimate estimate_hot(const RepeatableCall& repeatable) {
  // Made once for each process, since every run needs this estimate.
  static const CudaSpin spin;
  static const CudaStopwatch stopwatch;
  return median_of_calls([&] {
    spin.run(ahead_cycles);
    stopwatch.start();
    repeatable.call();
    return 1e-3 * static_cast<double>(stopwatch.stop());
  });
}

Estimate estimate_latency(const RepeatableCall& repeatable) {
  const CudaDriver& driver = cuda_driver();
  return median_of_calls([&] {
    const auto start = Clock::now();
    repeatable.call();
    driver.check(driver.synchronize(), "cuCtxSynchronize");
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  });
}

}  // namespace robust_kbench
