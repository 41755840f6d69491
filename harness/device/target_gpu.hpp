#pragma once

#include "device/gpu_facts.hpp"

// The GPU that sources are compiled for on a machine without one.
namespace robust_kbench {

inline constexpr int target_compute_capability = 90;

// The properties of an H100 SXM5 with 80 GB, from NVIDIA's H100 whitepaper and the table of compute
// capabilities in the CUDA C++ Programming Guide.
const GpuFacts& target_gpu_facts();

}  // namespace robust_kbench
