#pragma once

#include <cstddef>
#include <string>

namespace robust_kbench {

// Properties of GPU 0, by the driver.
struct GpuFacts {
  std::string name;         // "NVIDIA H100 80GB HBM3"
  int multiprocessors = 0;  // SMs
  int sm_mhz = 0;           // highest clock
  int threads_per_block = 0;
  int registers_per_block = 0;                    // of 32 bits
  std::size_t shared_memory_per_block = 0;        // in bytes, the default limit
  std::size_t shared_memory_per_block_optin = 0;  // in bytes, the limit that a kernel can ask for
  std::size_t l2_bytes = 0;
  std::size_t memory_bytes = 0;
  double memory_bytes_per_s = 0;  // from the memory's clock and width
};

// Throws HarnessError where there is no GPU.
const GpuFacts& gpu_facts();

// Bytes of GPU 0 that no process uses.
std::size_t free_gpu_memory();

}  // namespace robust_kbench
