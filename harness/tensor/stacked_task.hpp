#pragma once

#include <cstdint>

#include <robust_kbench/task.hpp>

namespace robust_kbench {

// A task one call of which is `calls` calls of the given one: each of its tensors has a first
// dimension of `calls`. So contents, references and limits of many small calls cost hardly more
// than those of one. A backward gives the gradients of each call by itself.
//
// Some of torch's operators cannot be computed for all calls at once (tensor/vmap.hpp), and some
// give the first call another result then. Functions with such operators are called one by one.
// Kernels are never called so, hence the contracts have no arguments.
Task stacked_task(const Task& task, std::int64_t calls);

// Call `index` of tensors of a stacked task.
Tensors call_of(const Tensors& stacked, std::int64_t index);

}  // namespace robust_kbench
