#include "runner/traced_call.hpp"

#include <algorithm>
#include <cstdint>

#include "device/cuda_driver.hpp"
#include "device/cuda_sweep.hpp"

namespace robust_kbench {
namespace {

constexpr int untraced_calls = 5;
constexpr std::size_t traced_calls = 25;

using Activities = std::vector<CudaActivity>;

std::uint64_t span_ns(const Activities& activities) {
  std::uint64_t end_ns = 0;
  for (const CudaActivity& activity : activities) end_ns = std::max(end_ns, activity.end_ns);
  return activities.empty() ? 0 : end_ns - activities.front().start_ns;
}

}  // namespace

Trace trace(const RepeatableCall& call) {
  const CudaDriver& driver = cuda_driver();
  const auto wait = [&] { driver.check(driver.synchronize(), "cuCtxSynchronize"); };
  CudaActivities activities;
  if (!activities.missing().empty()) return {.missing = activities.missing(), .activities = {}};
  const CudaSweep sweep;
  for (int i = 0; i < untraced_calls; ++i) call.call();
  wait();
  activities.forget();
  sweep.run();
  wait();
  const std::size_t of_sweep = activities.recorded().size();

  std::vector<Activities> calls;
  while (calls.size() < traced_calls) {
    activities.forget();
    sweep.run();
    call.call();
    wait();
    const Activities recorded = activities.recorded();
    if (recorded.size() > max_traced_activities) {
      return {.missing = "a call makes the GPU do " + std::to_string(recorded.size()) +
                         " things; a trace has " + std::to_string(max_traced_activities) +
                         " at most",
              .activities = {}};
    }
    // There may be fewer records than those of a sweep, since CUPTI drops records when it runs out
    // of memory.
    const auto own = static_cast<std::ptrdiff_t>(std::min(of_sweep, recorded.size()));
    calls.emplace_back(recorded.begin() + own, recorded.end());
  }
  const auto middle = calls.begin() + traced_calls / 2;
  std::nth_element(
      calls.begin(), middle, calls.end(),
      [](const Activities& a, const Activities& b) { return span_ns(a) < span_ns(b); });
  return {.missing = {}, .activities = *middle};
}

}  // namespace robust_kbench
