#pragma once

#include "core/manifest.hpp"
#include "filter/filter_options.hpp"
#include "filter/filter_result.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The results of all filters for a task. Those that `options.only` leaves out are `skipped`. For
// the backward, if there is one, only null_kernels, precision and tolerance run. Throws UserError
// where the task has no config to measure.
TaskVerdict filter_task(const Manifest& manifest, const Task& task, const FilterOptions& options);

}  // namespace robust_kbench
