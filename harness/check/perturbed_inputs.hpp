#pragma once

#include <cstdint>

#include <robust_kbench/direction.hpp>
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The tensors of `seed` with a few elements of one of them changed, which ones and to what being
// drawn from `key`: who knows content again by a few of its elements, or by some of its tensors,
// takes them for the same.
Tensors perturbed_inputs(const Task& task, Direction direction, const Params& params,
                         std::uint64_t seed, std::uint64_t key, c10::Device device = c10::kCPU);

}  // namespace robust_kbench
