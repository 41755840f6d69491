#pragma once

#include <vector>

#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The program `rkb_cases` over the given tasks: GoogleTest with one test for each planned test of
// the manifest (evaluate/test_plan.hpp). CTest runs it once a test and judges by the exit code
// alone (core/error.hpp): 0 for a pass, 77 for a kernel that cannot run here, or 1 where
// $ROBUST_KBENCH_SKIP_IS_FAILURE is set. A run that selects anything but exactly one test exits 3,
// so that a filter which matches nothing is never a pass. --manifest=FILE names another manifest
// than default_manifest().
int cases_main(int argc, char** argv, const std::vector<Task>& tasks);

}  // namespace robust_kbench
