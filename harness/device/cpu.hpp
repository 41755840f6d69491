#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace robust_kbench {

// The CPUs that the calling thread may run on, in ascending order.
std::vector<int> usable_cpus();

struct CpuFacts {
  std::string model;         // "AMD EPYC 7763 64-Core Processor"
  std::string instructions;  // instruction sets as Linux lists them: "fpu vme ... avx2 ..."
  std::vector<int> usable_cpus;
  std::uint64_t memory_bytes = 0;
};

CpuFacts cpu_facts();

}  // namespace robust_kbench
