#pragma once

#include <cstdint>

#include "tensor/workload.hpp"

// Counter-based random tensors: element i depends on the key and i alone, so any part can be made
// on its own, on any number of threads, where the tensor lives. Same key, same bits.
namespace robust_kbench {

// A new tensor of the spec on `device`, undefined when it is absent. `key` from tensor_key().
// Random numbers are drawn in float32: a dtype of 16 bits rounds them, float64 gets further bits.
// Throws UserError where none can be made (tensor/spec_check.hpp).
at::Tensor generate(const TensorSpec& spec, std::uint64_t key, c10::Device device = c10::kCPU);

// Every tensor of one call: inputs and weights, and for backward the incoming gradients. `seed`
// alone decides the content on one kind of device; where a forward has kinks, incoming gradients
// may differ between them.
Tensors make_tensors(const Workload& workload, std::uint64_t seed, c10::Device device = c10::kCPU);

}  // namespace robust_kbench
