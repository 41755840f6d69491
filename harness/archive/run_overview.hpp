#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "archive/rows.hpp"

namespace robust_kbench {

// A run in one line.
struct RunOverview {
  RunRow run;
  // The run's, but `interrupted` where it says `running` and no process writes to it.
  std::string state;
  std::size_t proposals = 0;
  std::size_t accepted = 0;
  std::optional<double> best_speedup;  // over the seed, of an accepted proposal
};

RunOverview overview_of(const Archive& archive, const RunRow& run);

}  // namespace robust_kbench
