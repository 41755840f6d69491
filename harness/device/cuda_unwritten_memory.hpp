#pragma once

#include <cstdint>

namespace robust_kbench {

// Fills what a CUDA kernel finds in shared and local memory of GPU 0 that it has not written, with
// large numbers and NaN. Left alone it often finds zeros there, or what its last launch has left,
// with which a kernel may be right that forgot to write. Both are asynchronous, on the legacy
// default stream.
class CudaUnwrittenMemory {
 public:
  // Throws HarnessError.
  CudaUnwrittenMemory();

  // Fills all shared memory that a block can have, on each multiprocessor: one block with all of it
  // on each. Takes a few microseconds.
  void fill_shared(std::uint32_t key) const;

  // Fills the 512 uppermost bytes of local memory of as many threads as the GPU can hold, where a
  // kernel's own arrays begin. It writes 140 MB on an H100, and leaves its cache dirty.
  void fill_local(std::uint32_t key) const;

 private:
  unsigned m_multiprocessors = 0;
  unsigned m_blocks_per_multiprocessor = 0;  // of as many threads as a block has
  std::uint32_t m_shared_bytes = 0;          // that a block can have
  void* m_shared = nullptr;
  void* m_local = nullptr;
};

}  // namespace robust_kbench
