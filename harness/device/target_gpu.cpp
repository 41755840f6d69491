#include "device/target_gpu.hpp"

namespace robust_kbench {

const GpuFacts& target_gpu_facts() {
  constexpr std::size_t kib = 1024;
  static const GpuFacts facts{.name = "NVIDIA H100 80GB HBM3",
                              .multiprocessors = 132,
                              .sm_mhz = 1980,
                              .threads_per_block = 1024,
                              .registers_per_block = 65536,
                              .shared_memory_per_block = 48 * kib,
                              .shared_memory_per_block_optin = 227 * kib,
                              .l2_bytes = 50 * kib * kib,
                              .memory_bytes = 80 * kib * kib * kib,
                              .memory_bytes_per_s = 3.35e12};
  return facts;
}

}  // namespace robust_kbench
