#pragma once

#include <array>
#include <vector>

#include "filter/filter_result.hpp"
#include "filter/filter_subject.hpp"

namespace robust_kbench {

// The paper's numeric filters, and weight_impact.
inline constexpr std::array statistical_filters{Filter::output_range, Filter::output_std,
                                                Filter::output_axes, Filter::input_impact,
                                                Filter::weight_impact};

// The results of the statistical_filters, in their order. Each is measured over seeds 1 to N of
// each config, on torch's result in the task's own dtype.
//
// A kernel must be right on all configs. So a task is caught where one output or weight stays below
// the threshold on every config. `value` is the least of the greatest values of all outputs or
// weights.
std::vector<FilterResult> output_statistics(const FilterSubject& subject);

}  // namespace robust_kbench
