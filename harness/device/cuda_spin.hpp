#pragma once

#include <cstdint>

namespace robust_kbench {

// Keeps GPU 0 busy without using its memory: one thread counts clock cycles.
class CudaSpin {
 public:
  // Throws HarnessError.
  CudaSpin();
  // Asynchronous, on the legacy default stream or on `stream`.
  void run(std::uint64_t cycles, void* stream = nullptr) const;

 private:
  void* m_kernel = nullptr;
};

}  // namespace robust_kbench
