#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "device/cuda_byte_sampler.hpp"
#include "device/cuda_stopwatch.hpp"
#include "device/cuda_sweep.hpp"
#include "ipc/arena.hpp"
#include "ipc/output_sample.hpp"

namespace robust_kbench {

// Calls of a subject on GPU 0, one by one: each begins on an idle GPU with a cold L2 cache, all
// addresses of the arena translated, and ends when the whole GPU has nothing left to do. While the
// cache is swept the host runs ahead, so that the span of a call that is quickly launched holds no
// time of the host.
class GpuCalls {
 public:
  // Throws HarnessError.
  GpuCalls();
  // Of calls whose tensors lie in `arena`. Waits until the GPU has done what came before, and is
  // this process's: to change from one process to another takes it some 200 us.
  void prepare(const Arena& arena);
  // The span of one call, nanoseconds. An error of the GPU ends the process: nothing of it can be
  // used any more. On the stream that it is handed `then` may look at what a call that succeeds has
  // left when it ends, before anyone knows of it.
  std::uint64_t time(const std::function<void()>& call,
                     const std::function<void(void* stream)>& then = {});
  // At outputs in the GPU's memory, when the stream comes to it.
  void sample(const std::vector<std::span<const std::byte>>& outputs, std::uint64_t key,
              void* stream);
  // Of the look since prepare().
  [[nodiscard]] OutputSample output_sample() const {
    return {.key = m_key, .seen = m_sampler.seen()};
  }

 private:
  void begin();

  const Arena* m_arena = nullptr;
  CudaSweep m_sweep;
  CudaStopwatch m_stopwatch;
  CudaByteSampler m_sampler;
  std::uint64_t m_key = 0;  // of the look
};

}  // namespace robust_kbench
