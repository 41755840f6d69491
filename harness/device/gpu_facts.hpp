#pragma once

#include <cstddef>
#include <string>

namespace robust_kbench {

// Properties of GPU 0, by the driver.
struct GpuFacts {
  std::string name;         // "NVIDIA H100 80GB HBM3"
  int multiprocessors = 0;  // SMs
  int sm_mhz = 0;           // highest clock
  std::size_t l2_bytes = 0;
  std::size_t memory_bytes = 0;
  double memory_bytes_per_s = 0;  // of the memory's clock and width
};

// Throws HarnessError where there is no GPU.
const GpuFacts& gpu_facts();

// Bytes of GPU 0 that all processes together leave.
std::size_t free_gpu_memory();

}  // namespace robust_kbench
