#pragma once

#include "device/gpu_lock.hpp"

namespace robust_kbench {

// A readers-writer lock on the processors for this process's threads. Many threads may compile and
// test at once, but a thread that times has them alone. A thread that waits to time goes before
// later ones.
class CpuLock {
 public:
  // Waits for the lock. A thread may hold only one.
  explicit CpuLock(GpuLock::Use use);
  ~CpuLock();
  CpuLock(const CpuLock&) = delete;
  CpuLock& operator=(const CpuLock&) = delete;

  // True if a thread waits for exclusive use.
  static bool is_awaited();

 private:
  const GpuLock::Use m_use;
};

}  // namespace robust_kbench
