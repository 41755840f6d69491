#include "device/cpu.hpp"

#include <fstream>
#include <initializer_list>
#include <sched.h>
#include <string_view>
#include <unistd.h>

namespace robust_kbench {
namespace {

// The first value in /proc/cpuinfo that has one of these names.
std::string first_of(std::initializer_list<std::string_view> names) {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    for (const std::string_view name : names) {
      const std::size_t colon = line.find(':');
      if (line.starts_with(name) && colon + 2 <= line.size()) return line.substr(colon + 2);
    }
  }
  return "unknown";
}

}  // namespace

std::vector<int> usable_cpus() {
  cpu_set_t set;
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return {0};
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

CpuFacts cpu_facts() {
  return {.model = first_of({"model name"}),
          .instructions = first_of({"flags", "Features"}),  // the names on x86 and on Arm
          .usable_cpus = robust_kbench::usable_cpus(),
          .memory_bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                          static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE))};
}

}  // namespace robust_kbench
