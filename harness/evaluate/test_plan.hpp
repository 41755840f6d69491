#pragma once

#include <string>
#include <vector>

#include "core/manifest.hpp"
#include "tensor/task_registry.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// One test of the suite, the same in CTest and in GoogleTest.
struct PlannedTest {
  enum class Kind {
    single_case,  // cases holds one
    probe,        // cases of one probe, whose configs the nonce of a run may change
    sequence,     // all cases of the kernel in one worker
    skipped,      // nothing of the kernel can run here; cases holds what would have run
  };
  std::string name;
  Kind kind = Kind::single_case;
  const Task* task = nullptr;
  const KernelSource* kernel = nullptr;
  std::vector<Case> cases;
  std::string only_case;  // Scope::only_case, empty where the test is skipped
  std::string skip_reason;
};

// Every test of every kernel: one a config and seed, one a probe, and one sequence. A kernel that
// cannot run on this machine is one skipped test. The result points into both arguments. Throws
// UserError where a kernel's task is unknown.
std::vector<PlannedTest> plan_tests(const Manifest& manifest, const TaskRegistry& tasks);

}  // namespace robust_kbench
