#pragma once

#include <cstdint>

#include <robust_kbench/task.hpp>

namespace robust_kbench {

// A task whose single call stands for `calls` calls of the given task: each tensor has a first
// dimension of `calls`. So contents, references and limits of many small calls cost hardly more
// than those of one. A backward gives the gradients of each call by itself.
//
// Some of torch's operators cannot be computed for all calls at once (tensor/vmap.hpp), and some
// give a wrong result then. Functions with such operators are called once for each call. Kernels
// never get stacked tensors, hence the contracts have no arguments.
Task stacked_task(const Task& task, std::int64_t calls);

// The tensors of call `index` among those of a stacked task.
Tensors call_of(const Tensors& stacked, std::int64_t index);

}  // namespace robust_kbench
