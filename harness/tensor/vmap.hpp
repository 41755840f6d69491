#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tensor/workload.hpp"

namespace robust_kbench {

// A function of the tensors of one call, such as a task's forward.
using CallFunction = std::function<std::vector<at::Tensor>(const Tensors&)>;

// Computes `function` for many calls at once, as torch.vmap does. Each tensor of `stacked` has a
// first dimension of `calls`, which `function` does not see, and so has each result. Results that
// are undefined stay so. Autograd records the computation.
//
// Throws c10::Error if `function` cannot be computed for all calls at once, for example because it
// looks at values.
std::vector<at::Tensor> vmap(const CallFunction& function, const Tensors& stacked,
                             std::int64_t calls);

}  // namespace robust_kbench
