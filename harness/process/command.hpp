#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "process/spawn.hpp"

namespace robust_kbench {

struct CommandResult {
  int exit_code = 0;  // 128 + signal when killed
  bool timed_out = false;
  std::string excess;  // why a watch ended it; empty: none did
  std::string output;  // stdout and stderr together, the last 64 KiB, unescaped
  double seconds = 0;
};

// Looks at a running program, by its process id, and says why it has to end. Empty: it may go on.
using CommandWatch = std::function<std::string(pid_t)>;

// Runs a program to its end in a session of its own, with nothing on stdin. Kills its process group
// at the time limit, and when the program ends. Throws HarnessError if it cannot be started, and
// Cancelled if `stop` is requested before its end.
CommandResult run_command(const std::vector<std::string>& arguments,
                          std::chrono::milliseconds timeout,
                          const std::string& working_directory = {},
                          const std::stop_token& stop = {});

// Like run_command(), for a program that is started by `options`. Its stdout and stderr are
// captured, whatever descriptors the options name. `watch` looks ten times a second.
CommandResult run_to_end(SpawnOptions options, std::chrono::milliseconds timeout,
                         const std::stop_token& stop = {}, const CommandWatch& watch = {});

}  // namespace robust_kbench
