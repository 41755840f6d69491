#pragma once

#include "core/manifest.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The task's own directory, or the one that the manifest names. Throws UserError if there is none.
TaskDirectory directory_of(const Manifest& manifest, const Task& task);

}  // namespace robust_kbench
