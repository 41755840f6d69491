#pragma once

#include <cstdint>

#include "tensor/gradients.hpp"
#include "tensor/workload.hpp"

// Counter-based random tensors. Element i depends on the key and i alone. So any part can be made
// separately, on any number of threads, on the tensor's own device. The same key gives the same
// bits.
namespace robust_kbench {

// Makes a tensor of the spec on `device`, or an undefined one if the spec is absent. `key` comes
// from tensor_key(). Random numbers are drawn in float32. A dtype of 16 bits rounds them, and
// float64 gets further bits. Throws UserError if no such tensor can be made
// (tensor/spec_check.hpp).
at::Tensor generate(const TensorSpec& spec, std::uint64_t key, c10::Device device = c10::kCPU);

// Writes the numbers of generate() over the elements of `out`, which must be contiguous. It must
// have the spec's dtype and number of elements.
void generate_into(const TensorSpec& spec, std::uint64_t key, const at::Tensor& out);

// The content of constant tensors whose spec also names a spread.
enum class Constants {
  typical,  // the constant value
  varied,   // numbers drawn from the spread
};

// Makes every tensor of one call: inputs and weights, and for backward the incoming gradients.
// `seed` alone decides the content on one kind of device. For a forward with kinks, incoming
// gradients may differ between the CPU and a GPU.
Tensors make_tensors(const Workload& workload, std::uint64_t seed, c10::Device device = c10::kCPU,
                     Constants constants = Constants::typical,
                     NearKinks near_kinks = NearKinks::masked);

}  // namespace robust_kbench
