#pragma once

#include <cstdint>

#include "tensor/workload.hpp"

// Counter-based random tensors. Element i depends on the key and i alone. So any part can be made
// separately, on any number of threads, on the tensor's own device. The same key gives the same
// bits.
namespace robust_kbench {

// A new tensor of the spec on `device`, undefined when it is absent. `key` is from tensor_key().
// Random numbers are drawn in float32. A dtype of 16 bits rounds them, and float64 gets further
// bits. Throws UserError where none can be made (tensor/spec_check.hpp).
at::Tensor generate(const TensorSpec& spec, std::uint64_t key, c10::Device device = c10::kCPU);

// Every tensor of one call: inputs and weights, and for backward the incoming gradients. `seed`
// alone decides the content on one kind of device. For a forward with kinks, incoming gradients may
// differ between the CPU and a GPU.
Tensors make_tensors(const Workload& workload, std::uint64_t seed, c10::Device device = c10::kCPU);

// Whether incoming gradients are 0 where float32 may decide otherwise than the float64 reference.
enum class NearKinks {
  masked,
  kept,  // for content on which every decision is exact
};

// Adds the incoming gradients of a backward to the other tensors of its call. They are drawn from
// the contract's distribution.
void add_gradients(const Workload& workload, std::uint64_t seed, c10::Device device,
                   NearKinks near_kinks, Tensors& tensors);

}  // namespace robust_kbench
