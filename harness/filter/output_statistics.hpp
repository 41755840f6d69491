#pragma once

#include <vector>

#include "filter/filter_result.hpp"
#include "filter/filter_subject.hpp"

namespace robust_kbench {

// The paper's numeric filters: output_range, output_std, output_axes, input_impact and
// weight_impact, in this order. Each is measured over seeds 1 to N of each config, on torch's
// result in the task's own dtype.
//
// A kernel must be right on all configs. So a task is caught where one output or weight stays below
// the threshold on every config. `value` is the least of the greatest values of all outputs or
// weights.
std::vector<FilterResult> output_statistics(const FilterSubject& subject);

}  // namespace robust_kbench
