#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/cipher.hpp"
#include "core/seed.hpp"
#include "device/cuda_byte_sampler.hpp"
#include "device/cuda_spin.hpp"
#include "device/cuda_stopwatch.hpp"
#include "device/cuda_sweep.hpp"
#include "device/cuda_unwritten_memory.hpp"
#include "ipc/arena.hpp"
#include "ipc/output_sample.hpp"

namespace robust_kbench {

// Times calls of a subject on GPU 0, one by one. Each begins on an idle GPU with a cold L2 cache,
// and with all addresses of the arena translated. It ends when the whole GPU is idle again.
//
// Registers and shared memory are filled before each call, and local memory before each batch. So a
// kernel cannot be right by their old content.
//
// The host launches the call while the GPU still sweeps the cache. So if it launches quickly, the
// span has no host time. Before the first call of a batch the GPU is kept busy for longer. Then the
// host's caches are cold from other processes, and a launch is slow.
class GpuCalls {
 public:
  // Throws HarnessError.
  GpuCalls();
  // Prepares for calls with tensors in `arena`. Waits until the GPU has finished earlier work and
  // runs this process. It takes some 200 us to switch between processes.
  void prepare(const Arena& arena);
  // The span of one call in nanoseconds. An error of the GPU ends the process, which cannot use the
  // GPU any more. After a successful call, `then` may enqueue reads of its results. They run on the
  // given stream when the call ends, before the host learns of the end.
  std::uint64_t time(const std::function<void()>& call,
                     const std::function<void(void* stream)>& then = {});
  // Samples outputs in the GPU's memory at this point of the stream.
  void sample(const std::vector<std::span<const std::byte>>& outputs, std::uint64_t key,
              void* stream);
  // The sample taken since prepare().
  [[nodiscard]] OutputSample output_sample() const {
    return {.key = m_key, .seen = m_sampler.seen()};
  }

 private:
  void begin();
  [[nodiscard]] std::uint32_t next_unwritten_key();

  const Arena* m_arena = nullptr;
  bool m_is_first = true;  // the next call is the first of its batch
  CudaSpin m_spin;
  CudaSweep m_sweep;
  CudaUnwrittenMemory m_unwritten;
  CipherStream m_unwritten_keys{secret_key()};
  CudaStopwatch m_stopwatch;
  CudaByteSampler m_sampler;
  std::uint64_t m_key = 0;  // key of the sample
};

}  // namespace robust_kbench
