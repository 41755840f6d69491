#pragma once

#include <cstdint>
#include <functional>

namespace robust_kbench {

// Times what runs on GPU 0 by the GPU's own clock, on whatever streams. The host's clock would tell
// an idle GPU from a busy one only within some microseconds.
class CudaStopwatch {
 public:
  // Throw HarnessError.
  CudaStopwatch();
  // The time runs once the default stream has done all that it was given before. What any stream of
  // the primary context is given after this waits for that moment: a stream that nothing else
  // orders would begin while the harness still prepares the GPU, and be done when the time runs.
  // The host does not wait.
  void start() const;
  // Nanoseconds until all streams had done what they were given by now. Waits for the whole GPU.
  // `then` may give the stream that it is handed what runs from that moment on, before the host
  // waits: behind the time's own end, on the default stream, it would run 2 us later.
  [[nodiscard]] std::uint64_t stop(const std::function<void(void* stream)>& then = {}) const;

 private:
  void* m_context = nullptr;
  void* m_start = nullptr;
  void* m_all_done = nullptr;
  void* m_end = nullptr;
  void* m_then = nullptr;
};

}  // namespace robust_kbench
