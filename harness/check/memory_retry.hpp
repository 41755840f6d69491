#pragma once

#include <functional>

#include "core/record.hpp"
#include "device/gpu_lock.hpp"

namespace robust_kbench {

// True where memory of the GPU was missing, which another kernel may have had.
bool lacked_gpu_memory(const CaseRecord& record);

// Examines the cases of a kernel beside others. One for which memory of the GPU was missing, or
// whose worker was killed on a CPU, is examined once more while no other case runs there.
class MemoryRetry {
 public:
  explicit MemoryRetry(bool gpu) : m_gpu(gpu) {}

  // The last record that `examine` gives. Throws what it throws, but what tells of missing memory
  // only where it does so alone, too.
  CaseRecord run(const std::function<CaseRecord(GpuLock::Use)>& examine);

 private:
  [[nodiscard]] bool lacked_memory(const CaseRecord& record) const;

  bool m_gpu;
  bool m_may_help = true;  // until a case lacks memory even alone: no need to try every case twice
};

}  // namespace robust_kbench
