#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

#include "core/descriptor.hpp"

namespace robust_kbench {

// A program that is asked on its stdin and answers on its stdout. Its stderr is this process's.
struct PipedProcess {
  pid_t pid = 0;  // whoever starts it waits for its end
  Descriptor requests;
  Descriptor answers;
};

// Starts it on these CPUs, or on all if none is named. Throws HarnessError.
PipedProcess start_piped(const std::vector<std::string>& command,
                         const std::vector<int>& cpus = {});

}  // namespace robust_kbench
