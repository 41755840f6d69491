#pragma once

#include <vector>

#include "tensor/workload.hpp"

namespace robust_kbench {

// The results that a kernel should return, in its order, computed in float64 from the tensors of
// the call. A backward's are autograd's gradients of the forward, with the call's incoming
// gradients. Throws UserError where the task does not return what its contract says.
std::vector<at::Tensor> reference(const Workload& workload, const Tensors& tensors);

// The same results in the tensors' own dtypes, as torch's eager mode gives them.
std::vector<at::Tensor> eager(const Workload& workload, const Tensors& tensors);

// The same results with every floating tensor in `dtype`, whatever the contract says.
std::vector<at::Tensor> computed_in(at::ScalarType dtype, const Workload& workload,
                                    const Tensors& tensors);

// The same tensors with every floating one in `dtype`. Integral and absent ones are shared.
Tensors as_dtype(const Tensors& tensors, at::ScalarType dtype);

}  // namespace robust_kbench
