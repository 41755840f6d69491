#pragma once

#include "filter/filter_result.hpp"
#include "filter/filter_subject.hpp"

namespace robust_kbench {

// Tries kernels that do not compute the operator on the cases on which kernels are usually tested:
// listed configs, drawn ones, probes. A task that accepts one is caught. `value` is the number of
// accepted kernels.
//
// The operator without a node may equal the operator: a dropout with probability 0, a copy of
// contiguous data. So a node counts only where its omission shows on further content. These are
// other listed configs, and probes that the task leaves out. All other nodes are listed as doing
// nothing.
FilterResult null_kernel_filter(const FilterSubject& subject);

}  // namespace robust_kbench
