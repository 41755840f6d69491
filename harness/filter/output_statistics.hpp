#pragma once

#include <vector>

#include "filter/filter_result.hpp"
#include "filter/filter_subject.hpp"

namespace robust_kbench {

// The paper's filters of numbers: output_range, output_std, output_axes, input_impact and
// weight_impact, in this order. Each is measured over seeds 1 to N of each config, on torch's
// result in the task's own dtype.
//
// A kernel must be right on all configs. So a task is caught where there is an output that no
// config lets escape, or a weight. `value` is that of the output or weight that comes nearest to
// it, on the config where it is the greatest.
std::vector<FilterResult> output_statistics(const FilterSubject& subject);

}  // namespace robust_kbench
