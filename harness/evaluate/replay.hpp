#pragma once

#include <string>
#include <vector>

#include "core/config.hpp"
#include "core/manifest.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The shell command that tests a kernel of the task again, compiled in the same way. It repeats the
// `own` configs. --case and --nonce of one case may be appended.
std::string replay_command(const KernelSource& kernel, const Task& task,
                           const std::vector<Config>& own = {});

}  // namespace robust_kbench
