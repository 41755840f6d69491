#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/cuda_driver.hpp"

namespace robust_kbench {

// Samples single bytes of the GPU's memory at one moment. A kernel on a stream reads them, and the
// host does not wait for it.
class CudaByteSampler {
 public:
  // Throw HarnessError.
  CudaByteSampler();
  ~CudaByteSampler();
  CudaByteSampler(const CudaByteSampler&) = delete;
  CudaByteSampler& operator=(const CudaByteSampler&) = delete;

  // Samples `count` bytes from `first` on, `stride` apart, and the byte at `last`. At most 1023
  // bytes in one call, and 4096 until forget().
  void at(const std::byte* first, std::size_t stride, std::size_t count, const std::byte* last,
          void* stream);
  // The bytes sampled since forget(), in order. Their streams must be done.
  [[nodiscard]] std::vector<std::byte> seen() const;
  void forget() { m_count = 0; }

 private:
  void* m_sampler = nullptr;
  CudaDriver::Address m_seen = 0;
  std::size_t m_count = 0;
};

}  // namespace robust_kbench
