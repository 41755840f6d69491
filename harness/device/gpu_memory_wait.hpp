#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include "core/error.hpp"

namespace robust_kbench {

// Thrown where the GPU has too little free memory. Other processes may soon free some.
class OutOfGpuMemory : public HarnessError {
 public:
  using HarnessError::HarnessError;
};

// True if an error's text may mean a lack of memory. Libraries have texts of their own. Where the
// driver has no room for a kernel's code, it reports only an unknown error.
inline bool tells_of_missing_gpu_memory(std::string_view error) {
  for (const std::string_view text : {"out of memory", "ALLOC_FAILED", "unknown error"}) {
    if (error.find(text) != std::string_view::npos) return true;
  }
  return false;
}

// The longest wait of a broker. A kernel that hangs in two calls may hold all memory for so long.
constexpr std::chrono::seconds broker_gpu_memory_wait{60};

// While an object lives, its thread does not wait for memory, since it holds memory that it can
// free itself.
class NoGpuMemoryWait {
 public:
  NoGpuMemoryWait() { ++depth(); }
  ~NoGpuMemoryWait() { --depth(); }
  NoGpuMemoryWait(const NoGpuMemoryWait&) = delete;
  NoGpuMemoryWait& operator=(const NoGpuMemoryWait&) = delete;
  static bool felt() { return depth() > 0; }

 private:
  static int& depth() {
    thread_local int count = 0;
    return count;
  }
};

// Repeats `work` while it throws OutOfGpuMemory, and rethrows that after `wait_limit`. Even claimed
// memory (device/memory_claim.hpp) may be missing for some seconds. A kernel under test, or a
// process without a claim, may take all memory of the GPU. A killed worker's memory is freed a
// moment after its claim.
template <typename Work>
auto wait_for_gpu_memory(const Work& work,
                         std::chrono::milliseconds wait_limit = std::chrono::seconds{15}) {
  constexpr std::chrono::milliseconds pause{100};
  const auto deadline = std::chrono::steady_clock::now() + wait_limit;
  while (true) {
    try {
      return work();
    } catch (const OutOfGpuMemory& error) {
      if (NoGpuMemoryWait::felt()) throw;
      if (std::chrono::steady_clock::now() > deadline) {
        throw OutOfGpuMemory(std::string(error.what()) + "; nobody gave any back for " +
                             std::to_string(wait_limit.count()) +
                             " ms: nvidia-smi says which process has more than it has claimed");
      }
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace robust_kbench
