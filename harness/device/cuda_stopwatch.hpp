#pragma once

#include <cstdint>
#include <functional>

namespace robust_kbench {

// Times work on GPU 0, on all streams, by the GPU's own clock. The host's clock could tell an idle
// GPU from a busy one only within some microseconds.
class CudaStopwatch {
 public:
  // Throw HarnessError.
  CudaStopwatch();
  // The time starts once the default stream has done all earlier work. Later work on any stream of
  // the primary context waits for that moment. Otherwise an unordered stream could begin while the
  // harness still prepares the GPU, and finish before the time starts. The host does not wait.
  void start() const;
  // Nanoseconds until all streams have done the work they have been given so far. Waits for the
  // whole GPU. `then` may enqueue work on the stream that it is handed, which runs from that moment
  // on. On the default stream, after the end event, it would run 2 us later.
  [[nodiscard]] std::uint64_t stop(const std::function<void(void* stream)>& then = {}) const;

 private:
  void* m_context = nullptr;
  void* m_start = nullptr;
  void* m_all_done = nullptr;
  void* m_end = nullptr;
  void* m_then = nullptr;
};

}  // namespace robust_kbench
