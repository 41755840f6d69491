#pragma once

#include "core/manifest.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The task's own directory, or the one that the manifest names. Throws UserError where neither
// does.
TaskDirectory directory_of(const Manifest& manifest, const Task& task);

}  // namespace robust_kbench
