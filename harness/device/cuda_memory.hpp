#pragma once

#include <cstddef>

#include "device/cuda_driver.hpp"

namespace robust_kbench {

// Memory of GPU 0 that two processes map: one creates it, the other attaches by a file descriptor.
class CudaMemory {
 public:
  // At least `bytes`; not initialised. Throws HarnessError, also where there is no such memory
  // left.
  static CudaMemory create(std::size_t bytes);
  // Maps what was created elsewhere with the same `bytes`. Throws HarnessError.
  static CudaMemory attach(int fd, std::size_t bytes);

  CudaMemory(CudaMemory&& other) noexcept;
  CudaMemory& operator=(CudaMemory&& other) noexcept;
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;
  ~CudaMemory();

  [[nodiscard]] int fd() const { return m_fd; }  // -1 where it was attached
  [[nodiscard]] std::byte* data() const {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's addresses are integers
    return reinterpret_cast<std::byte*>(m_address);
  }

  // Maps it at another address. At the old one the first `kept` bytes stay as they are now, as
  // memory of this process alone; the rest there is unmapped. Throws HarnessError.
  void move_away(std::size_t kept);

 private:
  CudaMemory(CudaDriver::Handle handle, int fd, std::size_t bytes);

  CudaDriver::Handle m_handle = 0;
  int m_fd = -1;
  std::size_t m_bytes = 0;  // a multiple of the granularity
  CudaDriver::Address m_address = 0;
};

}  // namespace robust_kbench
