#include "bench/single_calls.hpp"

#include <algorithm>

namespace robust_kbench {
namespace {

// Caches are colder in a call alone, and its threads have to be started again.
constexpr double tolerated_share = 0.25;

// A busy machine lengthens some calls, but hardly all of them.
double longer_alone_us(const SingleCalls& calls) {
  return *std::ranges::min_element(calls.alone_us) - calls.in_batch_us;
}

}  // namespace

double worked_ahead_us(const SingleCalls& kernel, const std::vector<SingleCalls>& baselines) {
  if (kernel.alone_us.empty() || baselines.empty()) return 0;
  double usual = 0;
  for (const SingleCalls& baseline : baselines) {
    if (baseline.alone_us.empty()) continue;
    usual = std::max(usual, longer_alone_us(baseline));
  }
  const double longer = longer_alone_us(kernel) - usual;
  return longer > tolerated_share * kernel.in_batch_us ? longer : 0;
}

}  // namespace robust_kbench
