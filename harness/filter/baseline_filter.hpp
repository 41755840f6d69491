#pragma once

#include "filter/filter_result.hpp"
#include "filter/filter_subject.hpp"

namespace robust_kbench {

// Whether eager mode does far more than the operator needs. The graph of an imported task is run in
// float64 on typical data and on probes. What holds in all of these calls simplifies it
// (filter/needed_work.hpp). `value` is the work of the graph over what is left, of flops or of
// bytes, whichever is more. A linked task has no graph, so it is not looked at.
FilterResult baseline_filter(const FilterSubject& subject);

}  // namespace robust_kbench
