#pragma once

#include <cstdint>
#include <functional>

#include "device/cuda_stopwatch.hpp"
#include "device/cuda_sweep.hpp"
#include "exec/arena.hpp"

namespace robust_kbench {

// Calls of a subject on GPU 0, one by one: each begins on an idle GPU with a cold L2 cache, all
// addresses of the arena translated, and ends when the whole GPU has nothing left to do. While the
// cache is swept the host runs ahead, so that the span of a call that is quickly launched holds no
// time of the host.
class GpuCalls {
 public:
  // Of calls whose tensors lie in `arena`. Waits until the GPU has done what came before, and is
  // this process's: to change from one process to another takes it some 200 us.
  void prepare(const Arena& arena);
  // The span of one call, nanoseconds. An error of the GPU ends the process: nothing of it can be
  // used any more.
  std::uint64_t time(const std::function<void()>& call);

 private:
  void begin();

  const Arena* m_arena = nullptr;
  CudaSweep m_sweep;
  CudaStopwatch m_stopwatch;
};

}  // namespace robust_kbench
