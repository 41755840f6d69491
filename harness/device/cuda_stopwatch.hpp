#pragma once

#include <cstdint>

namespace robust_kbench {

// Times what runs on GPU 0 by the GPU's own clock, between events on the legacy default stream.
class CudaStopwatch {
 public:
  // Throw HarnessError.
  CudaStopwatch();
  // The time runs once all is done that the GPU was given before; the host does not wait.
  void start() const;
  // Waits for the whole GPU. Nanoseconds until everything was done, also what runs on streams that
  // the default stream does not wait for: that part by the host's clock.
  [[nodiscard]] std::uint64_t stop() const;

 private:
  void* m_start = nullptr;
  void* m_end = nullptr;
  std::uint64_t m_idle_ns = 0;  // of waiting for a GPU that has nothing to do
};

}  // namespace robust_kbench
