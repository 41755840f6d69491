#pragma once

#include "core/descriptor.hpp"

namespace robust_kbench {

// A share of GPU 0 among all processes of this machine that use it through this class: many test at
// once, one times alone. A process that waits to time goes before those that come later. The kernel
// takes the lock back from a process that dies.
class GpuLock {
 public:
  enum class Use { shared, exclusive };

  // Waits. Throws HarnessError where the lock's file cannot be made, or another process keeps the
  // lock for a quarter of an hour.
  explicit GpuLock(Use use);

 private:
  Descriptor m_lock;
};

}  // namespace robust_kbench
