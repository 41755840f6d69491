#pragma once

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// Over the finite elements, in float64. 0 where there are none.
double root_mean_square(const at::Tensor& tensor);
// The same as a tensor without dimensions, which may stay on a GPU and under vmap.
at::Tensor root_mean_square_tensor(const at::Tensor& tensor);

}  // namespace robust_kbench
