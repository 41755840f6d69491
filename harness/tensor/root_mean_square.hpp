#pragma once

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// The root mean square of the finite elements, in float64. 0 if there are none.
double root_mean_square(const at::Tensor& tensor);
// The same as a tensor without dimensions, which may stay on a GPU and works under vmap.
at::Tensor root_mean_square_tensor(const at::Tensor& tensor);

}  // namespace robust_kbench
