#include "device/cuda_pool.hpp"

#include <cstdint>

#include "device/cuda_driver.hpp"

namespace robust_kbench {

void keep_freed_memory(std::size_t bytes) {
  constexpr int release_threshold = 4;  // CU_MEMPOOL_ATTR_RELEASE_THRESHOLD of cuda.h
  const CudaDriver& driver = cuda_driver();
  void* pool = nullptr;
  if (driver.get_default_pool(&pool, 0) != 0) return;  // this GPU has no memory pool
  std::uint64_t threshold = bytes;
  driver.check(driver.set_pool_attribute(pool, release_threshold, &threshold),
               "cuMemPoolSetAttribute");
}

}  // namespace robust_kbench
