#pragma once

#include <sched.h>

namespace robust_kbench {

// Keeps the calling thread on one CPU until the end of the scope. Where that CPU may not be used,
// nothing changes.
class ScopedAffinity {
 public:
  explicit ScopedAffinity(int cpu);
  ~ScopedAffinity();
  ScopedAffinity(const ScopedAffinity&) = delete;
  ScopedAffinity& operator=(const ScopedAffinity&) = delete;

 private:
  cpu_set_t m_before;
};

}  // namespace robust_kbench
