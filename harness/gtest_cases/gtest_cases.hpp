#pragma once

#include <vector>

#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The program `rkb_cases` over the given tasks. It has one GoogleTest test for each planned test of
// the manifest (evaluate/test_plan.hpp). The flag --manifest=FILE replaces default_manifest().
//
// CTest runs it once per test and judges by the exit code alone (core/error.hpp). The code is 0 for
// a pass, and 77 for a kernel that cannot run here. With $ROBUST_KBENCH_SKIP_IS_FAILURE set it is 1
// instead of 77. A run that does not select exactly one test exits 3, so a filter that matches
// nothing never passes. With --serve alone it becomes a fork server (process/fork_server.hpp),
// which spares each test the start of torch.
int cases_main(int argc, char** argv, const std::vector<Task>& tasks);

}  // namespace robust_kbench
