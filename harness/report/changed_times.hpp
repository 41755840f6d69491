#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/statistics.hpp"
#include "core/timing_record.hpp"
#include "report/measured.hpp"

namespace robust_kbench {

// What a comparison of times is made of.
enum class Basis {
  race,      // samples that both took in turns in one run, in pairs
  times,     // times of two runs on one machine
  speedups,  // speed-ups over the same baseline in two runs on different machines
};

std::string_view to_string(Basis basis);

// The samples of a case on both sides.
struct CaseSamples {
  Basis basis = Basis::times;
  WorkerSamples base_us;
  WorkerSamples contender_us;
  std::string baseline;  // that both were timed beside; empty: none. The next four are of it
  WorkerSamples base_baseline_us;
  WorkerSamples contender_baseline_us;
  WorkerSamples base_speedups;
  WorkerSamples contender_speedups;
  std::string disturbance;  // of either run
  std::string doubt;        // see MeasuredConfig
};

// The baseline is eager where both have it, else the first one that both have.
CaseSamples samples_of(const MeasuredConfig& base, const MeasuredConfig& contender, Basis basis);

// How much faster the contender is over these cases, by geometric mean. A baseline's own time may
// have certainly changed between two runs on one machine. Then times are doubted, unless the
// speed-ups over the baseline agree with them.
SpeedupRecord change_of(const std::vector<CaseSamples>& cases, double same_within);

}  // namespace robust_kbench
