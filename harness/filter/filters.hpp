#pragma once

#include "core/manifest.hpp"
#include "filter/filter_options.hpp"
#include "filter/filter_result.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// What all filters say of a task. The backward, where there is one, is asked about null kernels,
// precision and its tolerance alone. Throws UserError where the task has no config to look at.
TaskVerdict filter_task(const Manifest& manifest, const Task& task, const FilterOptions& options);

}  // namespace robust_kbench
