#pragma once

#include <cstdint>

#include <robust_kbench/task.hpp>

// Counter-based random tensors: element i depends on the key and i alone, so any part can be made
// on its own, on any number of threads, where the tensor lives. Same key, same bits.
namespace robust_kbench {

// Fills contiguous CPU memory with `count` elements of the distribution: int64 for `integers`,
// float32 otherwise.
void generate(const Distribution& distribution, std::uint64_t key, void* out, std::int64_t count);

// A new tensor of the spec on `device`, undefined when it is absent. `key` from tensor_key().
// Throws UserError where none can be made (tensor/spec_check.hpp).
at::Tensor generate(const TensorSpec& spec, std::uint64_t key, c10::Device device = c10::kCPU);

// Every tensor of one call: inputs and weights; for backward also "grad_output". `seed` alone
// decides the content on one kind of device; where a forward has kinks, grad_output may differ
// between them.
Tensors make_tensors(const Task& task, bool backward, const Params& params, std::uint64_t seed,
                     c10::Device device = c10::kCPU);

}  // namespace robust_kbench
