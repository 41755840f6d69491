#include "device/cpu_lock.hpp"

namespace robust_kbench {

// Through the gate one by one: who wants the CPU alone stays in it until the last tester is gone,
// so that no new one passes.
CpuLock::CpuLock(GpuLock::Use use) {
  static std::mutex gate;
  static std::shared_mutex cpu;
  const std::scoped_lock passing(gate);
  if (use == GpuLock::Use::time) {
    m_alone = std::unique_lock(cpu);
  } else {
    m_beside = std::shared_lock(cpu);
  }
}

}  // namespace robust_kbench
