#pragma once

#include <functional>

#include "core/record.hpp"
#include "device/gpu_lock.hpp"

namespace robust_kbench {

// True if the record fails for lack of GPU memory, which another kernel may have held.
bool lacked_gpu_memory(const CaseRecord& record);

// Examines the cases of a kernel while other cases run. A case that lacked GPU memory, or whose
// worker was killed on a CPU, is examined once more while no other case runs there.
class MemoryRetry {
 public:
  explicit MemoryRetry(bool gpu) : m_gpu(gpu) {}

  // Runs `examine` while sharing the device, and once more with exclusive use if that lacked
  // memory. Returns the last record. An out-of-memory error propagates only from the exclusive run,
  // other errors from both.
  CaseRecord run(const std::function<CaseRecord(GpuLock::Use)>& examine);

 private:
  [[nodiscard]] bool lacked_memory(const CaseRecord& record) const;

  bool m_gpu;
  bool m_may_help = true;  // false once a case lacks memory even alone
};

}  // namespace robust_kbench
