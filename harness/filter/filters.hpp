#pragma once

#include <functional>
#include <string>

#include "core/manifest.hpp"
#include "filter/filter_options.hpp"
#include "filter/filter_result.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// Hears what a filter is looking at, and which share of a task's results is there, from 0 to 1.
using OnFilter = std::function<void(const std::string& looking, double share)>;

// The results of all filters for a task. Those that `options.only` leaves out are `skipped`. For
// the backward, if there is one, only null_kernels, precision and tolerance run. Throws UserError
// where the task has no config to measure.
TaskVerdict filter_task(const Manifest& manifest, const Task& task, const FilterOptions& options,
                        const OnFilter& on_filter = {});

}  // namespace robust_kbench
