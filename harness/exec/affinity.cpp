#include "exec/affinity.hpp"

namespace robust_kbench {
namespace {

cpu_set_t usable_cpus() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  sched_getaffinity(0, sizeof cpus, &cpus);
  return cpus;
}

}  // namespace

int first_usable_cpu() {
  const cpu_set_t usable = usable_cpus();
  int cpu = 0;
  while (cpu + 1 < CPU_SETSIZE && !CPU_ISSET(cpu, &usable)) ++cpu;
  return cpu;
}

ScopedAffinity::ScopedAffinity(int cpu) : m_before(usable_cpus()) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(cpu, &only);
  sched_setaffinity(0, sizeof only, &only);
}

ScopedAffinity::~ScopedAffinity() {
  sched_setaffinity(0, sizeof m_before, &m_before);
}

}  // namespace robust_kbench
