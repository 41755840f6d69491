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
// are undefined stay so. Autograd records what is computed.
//
// Throws c10::Error where `function` does what cannot be done for all calls at once. It may not
// look at values, say.
std::vector<at::Tensor> vmap(const CallFunction& function, const Tensors& stacked,
                             std::int64_t calls);

}  // namespace robust_kbench
