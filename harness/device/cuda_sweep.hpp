#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "device/cuda_driver.hpp"

namespace robust_kbench {

// Empties the L2 cache of GPU 0 by reading memory that nobody else uses. A memset would leave the
// cache full of dirty lines, which the next kernel would have to write back.
class CudaSweep {
 public:
  // Allocates the memory to read. A sweep takes at least this time. Throws HarnessError.
  explicit CudaSweep(std::chrono::nanoseconds least = {});
  ~CudaSweep();
  CudaSweep(const CudaSweep&) = delete;
  CudaSweep& operator=(const CudaSweep&) = delete;

  // Asynchronous, by default on the legacy default stream. Also evicts lines that a kernel asked to
  // persist.
  void run(void* stream = nullptr) const;

  // Reads a word of each page, so that the page's address translation is cached again. Otherwise a
  // missing translation costs a microsecond, and chance decides which pages a call's tensors are
  // on. Asynchronous.
  void touch(const std::byte* memory, std::size_t bytes, void* stream = nullptr) const;

  // A kernel that does nothing, and a fill of one word. Asynchronous.
  void launch_empty_kernel(void* stream = nullptr) const;
  void launch_empty_fill(void* stream = nullptr) const;

 private:
  std::size_t m_vectors = 0;  // vectors of 16 bytes
  unsigned m_multiprocessors = 0;
  std::uint64_t m_least_ns = 0;
  CudaDriver::Address m_memory = 0;
  void* m_sweep = nullptr;
  void* m_touch = nullptr;
  void* m_empty = nullptr;
};

}  // namespace robust_kbench
