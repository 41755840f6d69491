#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "core/device.hpp"
#include "process/command.hpp"

namespace robust_kbench {

// What each command of a compilation may take, with all processes that it starts. A source can ask
// for any amount: by templates, by the assembler's .fill, or by including what has no end.
struct CompilerLimits {
  std::size_t memory_bytes = 0;           // resident at one time
  std::chrono::seconds processor_time{};  // of one core
  std::size_t file_bytes = 0;  // of all files of the compilation, and so of each; 0: no limit
};

// 6 GiB or half of the machine's memory, 120 s (nvcc: 300 s), and files of 256 MiB. Over torch's
// headers g++ takes 1.2 GB and nvcc 2.7 GB.
CompilerLimits compiler_limits(Device device);

// The limits that the system keeps for each process. A compiler is bound by them as well while
// nobody watches, since a broker may be killed.
std::vector<std::pair<int, rlim_t>> resource_limits(const CompilerLimits& limits);

// The limit that a running compiler exceeds, in words for a person with a remedy. Empty: none.
std::string exceeded_limit(pid_t compiler, const CompilerLimits& limits);

// The same of the files in `directory`, which compilers alone fill.
std::string exceeded_files(const std::string& directory, const CompilerLimits& limits);

// The limit of the system that a failed compiler met. Empty where its output tells of none.
std::string exceeded_limit(const CommandResult& result, const CompilerLimits& limits);

}  // namespace robust_kbench
