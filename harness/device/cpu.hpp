#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace robust_kbench {

struct CpuFacts {
  std::string model;             // "AMD EPYC 7763 64-Core Processor"
  std::vector<int> usable_cpus;  // that this process may run on
  std::uint64_t memory_bytes = 0;
};

CpuFacts cpu_facts();

}  // namespace robust_kbench
