#pragma once

#include <string>

namespace robust_kbench {

// The whole of main() in a program of trials: `register_tests` names the tests, those that the
// command line selects run. Returns what CTest judges by: ExitCode::skipped where each of them was
// skipped, or ExitCode::rejected with ROBUST_KBENCH_SKIP_IS_FAILURE in the environment.
int trials_main(int argc, char** argv, void (*register_tests)());

// The command that runs the current test alone, of all that CTest runs in one process.
std::string command_of_this_test();

}  // namespace robust_kbench
