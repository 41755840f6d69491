#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/byte_range.hpp"
#include "device/cuda_driver.hpp"

namespace robust_kbench {

// Memory of GPU 0 that two processes map: one creates it, the other attaches by a file descriptor.
class CudaMemory {
 public:
  // Creates at least `bytes`, not initialised. Throws HarnessError, also where too little memory is
  // free.
  static CudaMemory create(std::size_t bytes);
  // Creates the same for this process alone, with unmapped addresses behind its end.
  static CudaMemory create_before_unmapped(std::size_t bytes);
  // Maps memory that another process has created with the same `bytes`. Throws HarnessError, also
  // where another `address` than 0 is taken.
  static CudaMemory attach(int fd, std::size_t bytes, CudaDriver::Address address = 0);
  // Maps new memory for this process alone at this address, and keeps `reserved_bytes` from there
  // on free of anything else. The driver takes no address for a few megabytes. Throws HarnessError.
  static CudaMemory create_at(std::size_t bytes, CudaDriver::Address address,
                              std::size_t reserved_bytes);

  CudaMemory(CudaMemory&& other) noexcept;
  CudaMemory& operator=(CudaMemory&& other) noexcept;
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;
  ~CudaMemory();

  [[nodiscard]] int fd() const { return m_fd; }               // -1 but in memory of create()
  [[nodiscard]] std::size_t size() const { return m_bytes; }  // a multiple of the granularity
  [[nodiscard]] std::byte* data() const {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's addresses are integers
    return reinterpret_cast<std::byte*>(m_address);
  }

  // Maps the memory at another address. The old address loses it, except for copies of the ranges
  // `kept`, which are in ascending order. These copies are private memory until unmap() frees them.
  // Returns them, in whole units of the driver's granularity. Throws HarnessError.
  std::vector<std::span<std::byte>> move_away(const std::vector<ByteRange>& kept);
  static void unmap(std::span<std::byte> kept);

 private:
  explicit CudaMemory(std::size_t bytes, std::size_t unmapped_bytes = 0);
  void map_it(CudaDriver::Address address = 0);

  CudaDriver::Handle m_handle = 0;
  int m_fd = -1;
  std::size_t m_bytes = 0;
  std::size_t m_unmapped_bytes = 0;   // reserved behind them
  CudaDriver::Address m_address = 0;  // 0 until it is mapped
};

}  // namespace robust_kbench
