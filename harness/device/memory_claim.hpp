#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <sys/types.h>

#include "device/claim_file.hpp"

namespace robust_kbench {

// Memory that processes share by claims in a file.
struct MemoryBudget {
  std::string path;  // path of the file of claims
  std::size_t bytes = 0;
  // The longest wait of a claim while nothing changes among the holders of memory. Without a limit,
  // a process that hangs would block it for ever.
  std::chrono::milliseconds wait_limit = std::chrono::hours{1};
};

// A reservation of memory among processes. A process may take as much memory as it has claimed, and
// others leave it alone. Claims are granted in the order in which they were made, and each as a
// whole. If a process dies, the operating system releases its claims.
//
// A waiting process holds no GpuLock, and no claims but kept ones. So there is no deadlock: some
// process always has all that it needs, and finishes.
class MemoryClaim {
 public:
  using OnWait = std::function<void(const std::string&)>;

  // Waits until `least` bytes are free, and takes free bytes up to `most`. A claim that can never
  // fit is granted once only kept claims are left. `on_wait` is called once if there is a wait.
  // Throws HarnessError where the file cannot be used, and after the budget's wait_limit.
  static MemoryClaim wait(const MemoryBudget& budget, std::size_t least, std::size_t most,
                          const OnWait& on_wait = nullptr);

  [[nodiscard]] std::size_t bytes() const { return m_record.bytes; }

  // Gives back all but `bytes`. Throws HarnessError.
  void shrink(std::size_t bytes);

  // Splits off `bytes` as a separate, kept claim. It is for memory that the process keeps while it
  // waits for other claims, such as a GPU context. Throws HarnessError.
  MemoryClaim keep(std::size_t bytes);

 private:
  MemoryClaim(ClaimFile file, const ClaimRecord& record);

  ClaimFile m_file;
  ClaimRecord m_record;
};

// Bytes that processes other than `pid` hold now. Throws HarnessError.
std::size_t claimed_by_others(const MemoryBudget& budget, pid_t pid);

}  // namespace robust_kbench
