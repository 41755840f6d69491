#pragma once

#include "device/gpu_facts.hpp"

// The GPU for which sources are compiled where there is none.
namespace robust_kbench {

inline constexpr int target_compute_capability = 90;

// The properties of an H100 SXM5 with 80 GB. By NVIDIA's H100 whitepaper, and by the table of
// compute capabilities in the CUDA C++ Programming Guide.
const GpuFacts& target_gpu_facts();

}  // namespace robust_kbench
