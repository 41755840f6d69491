#pragma once

#include <cstdint>

#include "tensor/workload.hpp"

namespace robust_kbench {

// The tensors of `seed` with one of them changed in one element, in one of 256, or in all but so
// many. `key` decides which and the new values. It may be any tensor but one that is the same in
// every call. Incoming gradients are 0 near the kinks of the changed content. A kernel that
// recognises content by a few elements, or by some of its tensors, mistakes it for the original.
Tensors perturbed_inputs(const Workload& workload, std::uint64_t seed, std::uint64_t key,
                         c10::Device device = c10::kCPU);

}  // namespace robust_kbench
