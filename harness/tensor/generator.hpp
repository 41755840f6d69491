#pragma once

#include <cstdint>

#include "tensor/gradients.hpp"
#include "tensor/workload.hpp"

// Counter-based random tensors. Element i depends on the key and i alone. So any part can be made
// separately, on any number of threads, on the tensor's own device. The same key gives the same
// bits.
namespace robust_kbench {

// A new tensor of the spec on `device`, undefined when it is absent. `key` is from tensor_key().
// Random numbers are drawn in float32. A dtype of 16 bits rounds them, and float64 gets further
// bits. Throws UserError where none can be made (tensor/spec_check.hpp).
at::Tensor generate(const TensorSpec& spec, std::uint64_t key, c10::Device device = c10::kCPU);

// The same numbers, written over the elements of `out`. It is contiguous and has the spec's dtype
// and elements.
void generate_into(const TensorSpec& spec, std::uint64_t key, const at::Tensor& out);

// What tensors hold that name a spread beside their constant value.
enum class Constants {
  typical,  // the value
  varied,   // numbers drawn from the spread
};

// Every tensor of one call: inputs and weights, and for backward the incoming gradients. `seed`
// alone decides the content on one kind of device. For a forward with kinks, incoming gradients may
// differ between the CPU and a GPU.
Tensors make_tensors(const Workload& workload, std::uint64_t seed, c10::Device device = c10::kCPU,
                     Constants constants = Constants::typical,
                     NearKinks near_kinks = NearKinks::masked);

}  // namespace robust_kbench
