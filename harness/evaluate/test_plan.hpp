#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/manifest.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

class TaskRegistry;

// One test of the suite, the same in CTest and in GoogleTest.
struct PlannedTest {
  enum class Kind {
    cases,     // one listed case, one drawn config, or all cases of a probe
    sequence,  // all cases of the kernel in one worker
    skipped,   // nothing of the kernel can run here
  };
  std::string name;
  Kind kind = Kind::cases;
  const Task* task = nullptr;
  std::shared_ptr<const KernelSource> kernel;
  std::string only_case;  // see evaluate/scope.hpp; empty where it is skipped
  std::size_t count = 1;  // number of cases
  std::string skip_reason;
};

// Every test of every kernel: one for each config and seed, drawn config and probe, and one
// sequence. A plain kernel has its sequence alone. Names are the same for every nonce. A kernel
// that cannot run on this machine is one skipped test.
//
// The result points into `tasks`. Throws UserError where a kernel's task is unknown. `only` names
// the wanted test: tests of other kernels are then left out, since planning all takes 30 ms.
std::vector<PlannedTest> plan_tests(const Manifest& manifest, const TaskRegistry& tasks,
                                    const std::string& only = {});

}  // namespace robust_kbench
