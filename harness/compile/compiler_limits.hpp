#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <sys/resource.h>
#include <utility>
#include <vector>

#include "core/device.hpp"
#include "process/command.hpp"

namespace robust_kbench {

// What each process of a compilation may take. A source can ask for any amount: by templates, by
// the assembler's .fill, or by including what has no end.
struct CompilerLimits {
  std::size_t memory_bytes = 0;           // of its address space
  std::chrono::seconds processor_time{};  // on one core
  std::size_t file_bytes = 0;             // of each file that it writes; 0: no limit
};

// 6 GiB or half of the machine's memory, 120 s (nvcc: 300 s), and files of 256 MiB. Over torch's
// headers g++ takes 1.2 GB and nvcc 2.7 GB.
CompilerLimits compiler_limits(Device device);

// The limits as those of a process to spawn.
std::vector<std::pair<int, rlim_t>> resource_limits(const CompilerLimits& limits);

// The limit that a failed compiler met, in words for a person with a remedy. Empty where the output
// tells of none.
std::string exceeded_limit(const CommandResult& result, const CompilerLimits& limits);

}  // namespace robust_kbench
