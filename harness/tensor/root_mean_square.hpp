#pragma once

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// Over the finite elements, in float64. 0 where there are none.
double root_mean_square(const at::Tensor& tensor);

}  // namespace robust_kbench
