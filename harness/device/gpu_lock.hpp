#pragma once

#include "core/descriptor.hpp"

namespace robust_kbench {

// A readers-writer lock on GPU 0 for all processes of this machine. Many processes may test at
// once, but one that times has the GPU alone. A process that waits to time goes before later ones.
// The operating system releases the lock of a process that dies.
class GpuLock {
 public:
  enum class Use { shared, exclusive };

  // Waits for the lock. Throws HarnessError where its file cannot be made, or where another process
  // holds the lock for a quarter of an hour.
  explicit GpuLock(Use use);

 private:
  Descriptor m_lock;
};

}  // namespace robust_kbench
