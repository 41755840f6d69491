#pragma once

#include <mutex>
#include <shared_mutex>

#include "device/gpu_lock.hpp"

namespace robust_kbench {

// A share of the CPU among what this process runs there through this class: many test at once, or
// one has it alone (GpuLock::Use::time). First come, first served. A thread has one at most.
class CpuLock {
 public:
  explicit CpuLock(GpuLock::Use use);  // waits

 private:
  std::shared_lock<std::shared_mutex> m_beside;
  std::unique_lock<std::shared_mutex> m_alone;
};

}  // namespace robust_kbench
