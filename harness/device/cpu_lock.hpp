#pragma once

#include "device/gpu_lock.hpp"

namespace robust_kbench {

// The processors as the threads of this process share them: many compile and test at once, one
// times alone. A thread that waits to time goes before those that come later.
class CpuLock {
 public:
  // Waits. A thread has one at most.
  explicit CpuLock(GpuLock::Use use);
  ~CpuLock();
  CpuLock(const CpuLock&) = delete;
  CpuLock& operator=(const CpuLock&) = delete;

  // True if a thread waits to have the processors alone.
  static bool is_awaited();

 private:
  const GpuLock::Use m_use;
};

}  // namespace robust_kbench
