#pragma once

#include <cstdint>

namespace robust_kbench {

// Fills the registers, shared and local memory of GPU 0 with large numbers and NaN, for a kernel
// that reads what it has not written. Without this, such a kernel often finds zeros or data of its
// last launch, and may be right by chance. Both functions are asynchronous, on the legacy default
// stream.
class CudaUnwrittenMemory {
 public:
  // Throws HarnessError.
  CudaUnwrittenMemory();

  // Fills the shared memory and the registers of each multiprocessor by one block that takes all of
  // both. Takes a few microseconds.
  void fill_multiprocessors(std::uint32_t key) const;

  // Fills the uppermost 512 bytes of each thread's local memory, where a kernel's own arrays begin,
  // for as many threads as the GPU can hold. Writes 140 MB on an H100, and leaves the cache dirty.
  void fill_local(std::uint32_t key) const;

 private:
  unsigned m_multiprocessors = 0;
  unsigned m_blocks_per_multiprocessor = 0;  // blocks of full size
  std::uint32_t m_shared_bytes = 0;          // the most of a block
  void* m_multiprocessor = nullptr;
  void* m_local = nullptr;
};

}  // namespace robust_kbench
