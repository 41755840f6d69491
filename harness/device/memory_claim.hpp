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
  // How long a claim waits while nothing changes among those who hold memory. A process that hangs
  // holds its own for ever.
  std::chrono::milliseconds wait_limit = std::chrono::hours{1};
};

// A promise among processes: who has claimed memory may take as much of it, and the others leave
// it. Claims are granted in the order in which they were made, and each as a whole. The operating
// system gives back what a process has claimed that dies.
//
// Who waits holds no claim but kept ones, and no GpuLock. So there is always somebody who has all
// that he needs, and comes to his end.
class MemoryClaim {
 public:
  using OnWait = std::function<void(const std::string&)>;

  // Waits until `least` bytes are free, and takes what is free up to `most`. A claim that can never
  // fit is granted once all others are gone but kept ones. `on_wait` is told once, where it has to
  // wait. Throws HarnessError where the file cannot be used, and after the budget's wait_limit.
  static MemoryClaim wait(const MemoryBudget& budget, std::size_t least, std::size_t most,
                          const OnWait& on_wait = nullptr);

  // None where `bytes` are not free at once, or others wait. Who holds claims may ask.
  static std::optional<MemoryClaim> try_now(const MemoryBudget& budget, std::size_t bytes);

  [[nodiscard]] std::size_t bytes() const { return m_record.bytes; }

  // Gives all but `bytes` of it back. Throws HarnessError.
  void shrink(std::size_t bytes);

  // Makes `bytes` of it a claim of its own, of memory that the process keeps while it waits for
  // other claims: a context of the GPU. Throws HarnessError.
  MemoryClaim keep(std::size_t bytes);

 private:
  MemoryClaim(ClaimFile file, const ClaimRecord& record);

  ClaimFile m_file;
  ClaimRecord m_record;
};

// What processes but `pid` hold at the moment. Throws HarnessError.
std::size_t claimed_by_others(const MemoryBudget& budget, pid_t pid);

}  // namespace robust_kbench
