#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace robust_kbench {

// How a kernel is timed. The usual number of calls would take minutes where each takes seconds.
enum class Pace {
  usual,
  few_calls,  // in few workers, one call a batch
  too_slow,   // not at all
};

// Workers of a kernel that is timed with few calls.
inline constexpr std::size_t few_workers = 3;

struct PaceLimits {
  // Only a first call that takes longer is slow. Five workers give two samples each, after a first
  // call of each and eight calls that calibrate. With this, eight configs take some 40 seconds.
  std::chrono::duration<double> slow_call{0.2};
  // And only one that takes so many times as long as that of another subject. A large config takes
  // all of them long.
  double times_the_quickest = 10;
  // What one config may take with few calls.
  std::chrono::duration<double> config_time{15};
  // After slow calls have taken so long on some configs, those left are not timed.
  std::chrono::duration<double> all_configs_time{35};
};

// The pace for a kernel by its first call, and the quickest first call in the run. `min_samples` is
// what each worker must give.
Pace pace_of(std::chrono::duration<double> first_call, std::chrono::duration<double> quickest,
             std::size_t min_samples, const PaceLimits& limits = {});

// "a call took 2.51 s".
std::string slow_call_text(std::chrono::duration<double> call);

}  // namespace robust_kbench
