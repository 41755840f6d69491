#pragma once

#include "filter/filter_result.hpp"
#include "filter/filter_subject.hpp"

namespace robust_kbench {

// Whether eager mode does far more than the operator needs. The graph of an imported task is run in
// float64 on typical data and on probes. Properties that hold in all of these calls simplify it
// (filter/needed_work.hpp). `value` is the graph's work divided by the needed work, in flops or in
// bytes, whichever ratio is greater. A linked task has no graph, so it is skipped.
FilterResult baseline_filter(const FilterSubject& subject);

}  // namespace robust_kbench
