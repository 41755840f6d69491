#pragma once

#include <cstddef>

#include "device/cuda_driver.hpp"

namespace robust_kbench {

// Empties the L2 cache of GPU 0 by reading memory that nobody else uses. A memset would leave the
// cache full of dirty lines, which the next kernel would have to write back.
class CudaSweep {
 public:
  // Allocates the memory to read. Throws HarnessError.
  CudaSweep();
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

 private:
  std::size_t m_vectors = 0;  // vectors of 16 bytes
  unsigned m_multiprocessors = 0;
  CudaDriver::Address m_memory = 0;
  void* m_sweep = nullptr;
  void* m_touch = nullptr;
};

}  // namespace robust_kbench
