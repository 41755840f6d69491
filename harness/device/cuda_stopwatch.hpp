#pragma once

#include <cstdint>
#include <functional>

namespace robust_kbench {

// Times work on all streams of GPU 0 by the GPU's own clock. The host's clock sees only within some
// microseconds when the GPU becomes idle.
class CudaStopwatch {
 public:
  // Throw HarnessError.
  CudaStopwatch();
  // The time starts once the default stream has done all earlier work. Later work on any stream of
  // the primary context waits for this moment. Otherwise a non-blocking stream could do its work
  // while the harness still prepares the GPU, before the time starts. The host does not wait.
  void start() const;
  // Nanoseconds until all streams have done the work given to them so far. Waits for the whole GPU.
  // `then` may enqueue work on the stream that it gets, which runs right after the end. On the
  // default stream, after the end event, this work would run 2 us later.
  [[nodiscard]] std::uint64_t stop(const std::function<void(void* stream)>& then = {}) const;

 private:
  void* m_context = nullptr;
  void* m_start = nullptr;
  void* m_all_done = nullptr;
  void* m_end = nullptr;
  void* m_then = nullptr;
};

}  // namespace robust_kbench
