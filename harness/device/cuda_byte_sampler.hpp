#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/cuda_driver.hpp"

namespace robust_kbench {

// Single bytes of the GPU's memory as they are at one moment: read by a kernel on a stream, which
// the host does not wait for.
class CudaByteSampler {
 public:
  // Throw HarnessError.
  CudaByteSampler();
  ~CudaByteSampler();
  CudaByteSampler(const CudaByteSampler&) = delete;
  CudaByteSampler& operator=(const CudaByteSampler&) = delete;

  // At `count` bytes from `first` on, `stride` apart, and at `last`. 1023 bytes at most in one
  // look, 4096 until they are forgotten.
  void at(const std::byte* first, std::size_t stride, std::size_t count, const std::byte* last,
          void* stream);
  // What was seen, in order, unless it was forgotten, of streams that are done.
  [[nodiscard]] std::vector<std::byte> seen() const;
  void forget() { m_count = 0; }

 private:
  void* m_sampler = nullptr;
  CudaDriver::Address m_seen = 0;
  std::size_t m_count = 0;
};

}  // namespace robust_kbench
