#include "bench/slow_kernel.hpp"

#include <fmt/format.h>

namespace robust_kbench {

Pace pace_of(std::chrono::duration<double> first_call, std::chrono::duration<double> quickest,
             std::size_t min_samples, const PaceLimits& limits) {
  if (first_call <= limits.slow_call) return Pace::usual;
  if (first_call <= limits.times_the_quickest * quickest) return Pace::usual;
  const auto calls = static_cast<double>(few_workers * (1 + min_samples));
  return calls * first_call <= limits.config_time ? Pace::few_calls : Pace::too_slow;
}

std::string slow_call_text(std::chrono::duration<double> call) {
  return fmt::format("a call took {:.2f} s", call.count());
}

}  // namespace robust_kbench
