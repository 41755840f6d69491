#pragma once

#include <cstdint>

#include "tensor/workload.hpp"

namespace robust_kbench {

// The tensors of `seed` with a few elements of one of them changed, which ones and to what being
// drawn from `key`: who knows content again by a few of its elements, or by some of its tensors,
// takes them for the same.
Tensors perturbed_inputs(const Workload& workload, std::uint64_t seed, std::uint64_t key,
                         c10::Device device = c10::kCPU);

}  // namespace robust_kbench
