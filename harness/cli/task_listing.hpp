#pragma once

#include <string>
#include <vector>

#include "core/config.hpp"
#include "evaluate/suite.hpp"

namespace robust_kbench {

// Returns the directions of the task for which it has a config file.
std::vector<Direction> directions_of(const Suite& suite, const Task& task);

// Returns every config of its file: small, single and multi. Throws UserError for a file that is
// wrong.
std::vector<Config> all_configs(const Suite& suite, const Task& task, Direction direction);

// Returns what `rkb list TASK` prints. The table of a direction has a row for each config, drawn
// config and probe. The row has one case for --case, and the number of cases on each device.
// Kernels follow.
std::string task_listing(const Suite& suite, const Task& task);

// Lists the kernels of the task, or of the build where `task` is null, with the number of cases of
// a test.
std::string kernels_listing(const Suite& suite, const Task* task);

}  // namespace robust_kbench
