#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/timing_record.hpp"
#include "evolve/settings.hpp"

namespace robust_kbench {

// The part of its budgets that a run has used.
struct Spent {
  double seconds = 0;      // of wall clock
  double to_come = 0;      // likely seconds of a further candidate and of the confirmation
  double gpu_seconds = 0;  // in evaluations on a GPU
  int proposals = 0;
  int evaluations = 0;  // candidates that were tested
  int generations = 0;  // that have ended
  int in_vain = 0;      // candidates since the last gain, with those that did not compile
};

// The seconds that the starts took before the run's first candidate.
struct StartSeconds {
  double test = 0;  // of all cases, for the start that took longest
  double race = 0;
};

// Seconds that a first candidate is likely to take, and that the confirmation is. The confirmation
// has the tests and the race of the starts again, then both on a few further configs.
double first_candidate_seconds(const StartSeconds& starts);
double confirmation_seconds(const StartSeconds& starts);

// The reasons of RunRow::stop_reason that several files know.
inline constexpr const char* wall_clock_reason = "wall clock";
inline constexpr const char* interrupt_reason = "interrupted";

// The reason for which a run ends before the next candidate, or none if it goes on: "wall clock",
// "evaluations", "GPU seconds", "generations" or "plateau".
std::optional<std::string> stop_reason(const Spent& spent, const EvolutionSettings& settings);

// The median time of the baseline `empty` on each config where it was timed, in microseconds.
std::map<std::string, double> empty_times_us(const std::vector<ConfigTimingRecord>& timings);

// True if on each config the kernel's whole interval is at most 5 % above the least possible time.
// That is the roofline's, or an empty kernel's where it takes longer. False where a config has
// neither.
bool at_least_time(const std::vector<ConfigTimingRecord>& timings,
                   const std::map<std::string, double>& empty_us);

}  // namespace robust_kbench
