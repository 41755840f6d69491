#include "process/affinity.hpp"

namespace robust_kbench {

cpu_set_t cpu_set_of(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  return set;
}

ScopedAffinity::ScopedAffinity(const std::vector<int>& cpus) : m_before{} {
  sched_getaffinity(0, sizeof m_before, &m_before);
  const cpu_set_t only = cpu_set_of(cpus);
  sched_setaffinity(0, sizeof only, &only);
}

ScopedAffinity::~ScopedAffinity() {
  sched_setaffinity(0, sizeof m_before, &m_before);
}

}  // namespace robust_kbench
