#pragma once

#include <vector>

#include "ipc/arena.hpp"
#include "ipc/message.hpp"

#include <ATen/core/Tensor.h>

// Converts between a message's tensors and torch's, on the worker's side of the channel.
namespace robust_kbench {

// The arena's memory as a tensor, or undefined for None. Throws HarnessError for anything else.
at::Tensor tensor_of(const Arena& arena, const ArgumentValue& argument);

// Gives the place of each tensor in the arena. It copies a tensor from outside into it first. An
// undefined one has no place.
std::vector<ResultValue> results_of(Arena& arena, const std::vector<at::Tensor>& tensors);

}  // namespace robust_kbench
