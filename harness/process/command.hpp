#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

#include "process/spawn.hpp"

namespace robust_kbench {

struct CommandResult {
  int exit_code = 0;  // 128 + signal when killed
  bool timed_out = false;
  std::string output;  // stdout and stderr together, the last 64 KiB, unescaped
  double seconds = 0;
};

// Runs a program to its end in a session of its own, with nothing on stdin. Kills its process group
// at the time limit, and when the program ends. Throws HarnessError if it cannot be started, and
// Cancelled if `stop` is requested before its end.
CommandResult run_command(const std::vector<std::string>& arguments,
                          std::chrono::milliseconds timeout,
                          const std::string& working_directory = {},
                          const std::stop_token& stop = {});

// Like run_command(), for a program that is started by `options`. Its stdout and stderr are
// captured, whatever descriptors the options name.
CommandResult run_to_end(SpawnOptions options, std::chrono::milliseconds timeout,
                         const std::stop_token& stop = {});

}  // namespace robust_kbench
