#include "exec/affinity.hpp"

namespace robust_kbench {

ScopedAffinity::ScopedAffinity(const std::vector<int>& cpus) : m_before{} {
  sched_getaffinity(0, sizeof m_before, &m_before);
  cpu_set_t only;
  CPU_ZERO(&only);
  for (const int cpu : cpus) CPU_SET(cpu, &only);
  sched_setaffinity(0, sizeof only, &only);
}

ScopedAffinity::~ScopedAffinity() {
  sched_setaffinity(0, sizeof m_before, &m_before);
}

}  // namespace robust_kbench
