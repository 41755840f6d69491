#pragma once

#include <cstdint>

namespace robust_kbench {

// Keeps GPU 0 busy without its memory: one thread counts the clock's cycles.
class CudaSpin {
 public:
  // Throws HarnessError.
  CudaSpin();
  // Asynchronous, on the legacy default stream or another.
  void run(std::uint64_t cycles, void* stream = nullptr) const;

 private:
  void* m_kernel = nullptr;
};

}  // namespace robust_kbench
