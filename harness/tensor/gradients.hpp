#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tensor/workload.hpp"

#include <c10/core/Device.h>

// The incoming gradients of a backward.
namespace robust_kbench {

// Whether incoming gradients are set to 0 where float32 may decide otherwise than the float64
// reference.
enum class NearKinks {
  masked,
  kept,  // for content on which every decision is exact
};

// The specs of incoming gradients, in the order of the forward's floating outputs. Each has the
// shape of its output for `tensors`, the inputs and weights of a call.
std::vector<TensorSpec> gradient_specs(const Workload& workload, const Tensors& tensors);

// Sets gradients to 0 near kinks, in place. `tensors` are all tensors of a call.
void mask_gradients(const Workload& workload, const Tensors& tensors);

// Does the same for many calls. Decisions are computed in float32, which costs no more than a
// forward. Their error is about a hundredth of the distance that counts as near. On a CPU each
// thread takes some of the calls, whose operators alone are too short for several threads.
void mask_gradients_of_batch(const Workload& workload, std::span<const Tensors> calls);

// Adds incoming gradients to the other tensors of a call.
void add_gradients(const Workload& workload, std::uint64_t seed, c10::Device device,
                   NearKinks near_kinks, Tensors& tensors);

}  // namespace robust_kbench
