#include "evaluate/test_plan.hpp"

#include "evaluate/requirements.hpp"
#include "evaluate/scope.hpp"

namespace robust_kbench {

std::vector<PlannedTest> plan_tests(const Manifest& manifest, const TaskRegistry& tasks) {
  std::vector<PlannedTest> tests;
  for (const KernelSource& kernel : manifest.kernels) {
    const Task& task = tasks.find(kernel.entry.task);
    const std::vector<Case> cases =
        cases_of(configs_of(manifest, task, kernel.entry.direction, {usual_configs(kernel.device)}),
                 default_seeds);
    const auto add = [&](PlannedTest::Kind kind, const std::string& what, std::vector<Case> of) {
      tests.push_back({.name = test_name(kernel.entry, kernel.name, what),
                       .kind = kind,
                       .task = &task,
                       .kernel = &kernel,
                       .cases = std::move(of)});
    };
    if (const std::string reason = skip_reason(kernel, manifest.toolchain); !reason.empty()) {
      add(PlannedTest::Kind::skipped, "skipped", cases);
      tests.back().skip_reason = reason;
      continue;
    }
    for (const Case& c : cases) add(PlannedTest::Kind::single_case, c.name(), {c});
    add(PlannedTest::Kind::sequence, std::string(sequence_name), cases);
  }
  return tests;
}

}  // namespace robust_kbench
