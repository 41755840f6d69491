#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/timing_record.hpp"
#include "evolve/settings.hpp"

namespace robust_kbench {

// How much of its budgets a run has used.
struct Spent {
  double seconds = 0;      // of wall clock
  double gpu_seconds = 0;  // in evaluations on a GPU
  int proposals = 0;
  int evaluations = 0;     // candidates that were compiled
  int generations = 0;     // that have ended
  int in_vain = 0;         // candidates since the last gain
};

// The share of the wall clock that the loop leaves for the confirmation.
inline constexpr double confirmation_share = 0.2;

// Why a run ends before the next candidate, or none if it goes on: "wall clock", "evaluations",
// "GPU seconds", "generations" or "plateau".
std::optional<std::string> stop_reason(const Spent& spent, const EvolutionSettings& settings);

// True if the kernel takes at most 5 % longer than the roofline on each config, with its whole
// interval. False where a config has none.
bool at_roofline(const std::vector<ConfigTimingRecord>& timings);

}  // namespace robust_kbench
