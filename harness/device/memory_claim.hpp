#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>

#include "device/claim_file.hpp"

namespace robust_kbench {

// Memory that processes share by claims.
struct MemoryBudget {
  std::string path;  // of the file in which they claim
  std::size_t bytes = 0;
  // How long a claim waits while nothing changes among the holders of memory. A process that hangs
  // holds its memory for ever.
  std::chrono::milliseconds wait_limit = std::chrono::hours{1};
};

// A promise among processes. A process may take as much memory as it has claimed, and the others
// leave it. Claims are granted in the order in which they were made, and each as a whole. If a
// process dies, the operating system gives back its claim.
//
// A waiting process holds no claim but kept ones, and no GpuLock. So there is always a process that
// has all that it needs, and finishes.
class MemoryClaim {
 public:
  using OnWait = std::function<void(const std::string&)>;

  // Waits until `least` bytes are free, and takes what is free up to `most`. A claim that can never
  // fit is granted once all others are gone but kept ones. `on_wait` is called once if there is a
  // wait. Throws HarnessError where the file cannot be used, and after the budget's wait_limit.
  static MemoryClaim wait(const MemoryBudget& budget, std::size_t least, std::size_t most,
                          const OnWait& on_wait = nullptr);

  // Empty where `bytes` are not free at once, or others wait. The caller may hold other claims.
  static std::optional<MemoryClaim> try_now(const MemoryBudget& budget, std::size_t bytes);

  [[nodiscard]] std::size_t bytes() const { return m_record.bytes; }

  // Gives all but `bytes` of it back. Throws HarnessError.
  void shrink(std::size_t bytes);

  // Splits off `bytes` as a claim of its own. It is for memory that the process keeps while it
  // waits for other claims, such as a GPU context. Throws HarnessError.
  MemoryClaim keep(std::size_t bytes);

 private:
  MemoryClaim(ClaimFile file, const ClaimRecord& record);

  ClaimFile m_file;
  ClaimRecord m_record;
};

// Bytes that processes other than `pid` hold at the moment. Throws HarnessError.
std::size_t claimed_by_others(const MemoryBudget& budget, pid_t pid);

}  // namespace robust_kbench
