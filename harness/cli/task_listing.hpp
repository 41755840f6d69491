#pragma once

#include <string>
#include <vector>

#include "core/config.hpp"
#include "evaluate/suite.hpp"

namespace robust_kbench {

// The directions of the task for which it has a config file.
std::vector<Direction> directions_of(const Suite& suite, const Task& task);

// Every config of its file: small, single and multi. Throws UserError for a file that is wrong.
std::vector<Config> all_configs(const Suite& suite, const Task& task, Direction direction);

// What `rkb list TASK` prints. A table of each direction has a row for each config, drawn config
// and probe. It names one case for --case, and says how many there are on each device. Kernels
// follow.
std::string task_listing(const Suite& suite, const Task& task);

// The same kernels, or all of the build where `task` is null. The number of cases is that of a
// test.
std::string kernels_listing(const Suite& suite, const Task* task);

}  // namespace robust_kbench
