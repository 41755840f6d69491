#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace robust_kbench {

// Runs a program many times, and starts it once: each run is a fork of this process, whose
// libraries are loaded already. Loading torch takes 0.12 s, of which one test of CTest needs no
// more than a third for all else. `rkb_fork_client PROGRAM ARGUMENT...` asks for a run, which has
// the client's arguments, environment, directory and standard descriptors, and ends with it.
//
// Returns the program's exit code: at once where another process serves the same file, else as
// soon as a child of this process serves it. The child ends when it is told to, or after a minute
// without a run. Call it before any thread starts, and before anything is drawn at random, since
// all runs would have that in common. Throws HarnessError where no child can be made.
int serve_forks(const std::filesystem::path& program,
                const std::function<int(std::vector<std::string> arguments)>& run);

}  // namespace robust_kbench
