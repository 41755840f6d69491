#pragma once

#include "filter/filter_result.hpp"
#include "filter/filter_subject.hpp"

namespace robust_kbench {

// Kernels that do not compute the operator, on the cases on which kernels are usually tested:
// listed configs, drawn ones, probes. A task is caught that accepts one. `value` is how many it
// accepts.
//
// The operator without a node may be the operator itself: a dropout that drops nothing, a copy of
// what lies in order. So a node counts only where leaving it out is seen on content that the usual
// cases lack. That is of other listed configs, and of probes that the task leaves out. All other
// nodes are listed as doing nothing.
FilterResult null_kernel_filter(const FilterSubject& subject);

}  // namespace robust_kbench
