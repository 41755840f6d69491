#pragma once

#include <cstdint>

#include "tensor/workload.hpp"

namespace robust_kbench {

// The tensors of `seed` with a few elements of one of them changed. `key` decides which elements
// and their new values. A kernel that recognises content by a few elements, or by some of its
// tensors, mistakes them for the original.
Tensors perturbed_inputs(const Workload& workload, std::uint64_t seed, std::uint64_t key,
                         c10::Device device = c10::kCPU);

}  // namespace robust_kbench
