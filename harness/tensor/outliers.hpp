#pragma once

#include "tensor/probe_content.hpp"

// The content of the probe `outlier`.
namespace robust_kbench {

// The tensor with 1e4 in one element and -1e4 in another, or with 1e4 in both where no typical
// element is negative. Zeros stay, as incoming gradients are 0 near a kink. For seed 1 they are the
// first and the last element of an input, and for others any. A tensor of fewer than 4 elements
// stays as it is.
at::Tensor with_outliers(const at::Tensor& typical, const TensorSpec& spec,
                         const ProbeSource& source);

// The tensors with 0 in place of 1e4, and 1 in place of -1e4. A sum of both outliers is 0, and so
// would be the sum of two that stand for them.
Tensors without_outliers(const Tensors& tensors);

}  // namespace robust_kbench
