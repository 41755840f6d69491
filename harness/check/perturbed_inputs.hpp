#pragma once

#include <cstdint>

#include "core/cipher.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// The tensors of `seed` with one of them changed: in one element, in one of 256, or in all but one
// of 256. `key` decides which, and the new values. A tensor that is the same in every call is never
// changed. Incoming gradients are 0 near the kinks of the changed content. A kernel that recognises
// content by a few elements, or by some of its tensors, mistakes it for the original.
Tensors perturbed_inputs(const Workload& workload, std::uint64_t seed, std::uint64_t key,
                         c10::Device device = c10::kCPU);

// Gives a call the content of an earlier one of the same shapes, in place, with one tensor changed
// as above. The new values come from the call's previous content. Incoming gradients are not masked
// again.
void perturb(const Tensors& call, const Tensors& earlier, CipherStream& random);

}  // namespace robust_kbench
