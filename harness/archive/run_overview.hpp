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
  // The run's state, but `interrupted` instead of `running` where no process writes to it.
  RunState state = RunState::running;
  std::size_t proposals = 0;
  std::size_t accepted = 0;
  // Speed-ups over the first parent. `in_search` is the product of the races that led to the
  // winner, or to the fastest accepted proposal where the run was killed. `confirmed` is the
  // winner's in its confirmation.
  std::optional<double> in_search, confirmed;
};

RunOverview overview_of(const Archive& archive, const RunRow& run);

}  // namespace robust_kbench
