#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>
#include <sys/types.h>

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

// The limit that a running compiler exceeds, in words that follow its name, with a remedy. Empty:
// none.
std::string exceeded_limit(pid_t compiler, const CompilerLimits& limits);

// Runs a compiler, or another tool that reads a kernel's sources, within these limits. Nothing else
// fills its working directory. CommandResult::excess has the words of exceeded_limit(). Throws as
// run_to_end() does.
CommandResult run_within(const CompilerLimits& limits, SpawnOptions options,
                         std::chrono::milliseconds timeout, const std::stop_token& stop);

}  // namespace robust_kbench
