#pragma once

#include <functional>

#include "core/record.hpp"
#include "device/gpu_lock.hpp"

namespace robust_kbench {

// True where memory of the GPU was missing, which another kernel may have had.
bool lacked_gpu_memory(const CaseRecord& record);

// Examines the cases of a kernel beside others on the GPU, and one for which memory was missing
// again while nobody else tests there.
class MemoryRetry {
 public:
  explicit MemoryRetry(bool gpu) : m_may_help(gpu) {}

  // The last record that `examine` gives. Throws what it throws, but what tells of missing memory
  // only where it does so alone, too.
  CaseRecord run(const std::function<CaseRecord(GpuLock::Use)>& examine);

 private:
  bool m_may_help;  // until a case lacks memory even alone: no need to try every case twice
};

}  // namespace robust_kbench
