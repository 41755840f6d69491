#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace robust_kbench {

// The number of calls for which a kernel is timed. With slow calls the usual number would take
// minutes.
enum class Pace {
  usual,
  few_calls,  // in few workers, one call a batch
  too_slow,   // not at all
};

// The number of workers of a kernel that is timed with few calls.
inline constexpr std::size_t few_workers = 3;

struct PaceLimits {
  // Only a longer first call is slow. Five workers give two samples each, after a first call of
  // each and eight calls that calibrate. With this limit, eight configs take some 40 seconds.
  std::chrono::duration<double> slow_call{0.2};
  // A slow call also takes so many times as long as another subject's. On a large config all calls
  // are long.
  double times_the_quickest = 10;
  // The time that one config may take with few calls.
  std::chrono::duration<double> config_time{15};
  // Once slow calls have taken so long on some configs, the remaining ones are not timed.
  std::chrono::duration<double> all_configs_time{35};
};

// The pace for a kernel by its first call, and the quickest first call in the run. `min_samples` is
// the least number of samples of each worker.
Pace pace_of(std::chrono::duration<double> first_call, std::chrono::duration<double> quickest,
             std::size_t min_samples, const PaceLimits& limits = {});

// The time of a call as text: "a call took 2.51 s".
std::string slow_call_text(std::chrono::duration<double> call);

}  // namespace robust_kbench
