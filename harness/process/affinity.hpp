#pragma once

#include <sched.h>
#include <vector>

namespace robust_kbench {

cpu_set_t cpu_set_of(const std::vector<int>& cpus);

// Binds the calling thread, and what it starts, to some CPUs until the end of the scope. Does
// nothing if none of these CPUs may be used.
class ScopedAffinity {
 public:
  explicit ScopedAffinity(int cpu) : ScopedAffinity(std::vector{cpu}) {}
  explicit ScopedAffinity(const std::vector<int>& cpus);
  ~ScopedAffinity();
  ScopedAffinity(const ScopedAffinity&) = delete;
  ScopedAffinity& operator=(const ScopedAffinity&) = delete;

 private:
  cpu_set_t m_before;
};

}  // namespace robust_kbench
