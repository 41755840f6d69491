#pragma once

#include "filter/filter_result.hpp"
#include "filter/filter_subject.hpp"

namespace robust_kbench {

// Whether the limits tell float32 from coarser arithmetic, on the cases on which kernels are
// usually tested. A task is caught if torch's own result fails, or if it accepts torch in coarser
// arithmetic. Coarser is bfloat16 throughout, or factors of products in bfloat16 or TF32. `value`
// counts these.
FilterResult precision_filter(const FilterSubject& subject);

}  // namespace robust_kbench
