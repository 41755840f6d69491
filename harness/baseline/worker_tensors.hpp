#pragma once

#include <vector>

#include "ipc/arena.hpp"
#include "ipc/message.hpp"

#include <ATen/core/Tensor.h>

// Converts between a message's tensors and torch's, on the worker's side of the channel.
namespace robust_kbench {

// The tensor in the arena's memory, or an undefined one for None. Throws HarnessError for anything
// else.
at::Tensor tensor_of(const Arena& arena, const ArgumentValue& argument);

// The place of each tensor in the arena, after a tensor from outside was copied into it. An
// undefined tensor has no place.
std::vector<ResultValue> results_of(Arena& arena, const std::vector<at::Tensor>& tensors);

}  // namespace robust_kbench
