#include "evaluate/test_plan.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/scope.hpp"

namespace robust_kbench {

const Task& find_task(const std::vector<Task>& tasks, const std::string& name) {
  const auto found =
      std::find_if(tasks.begin(), tasks.end(), [&](const Task& task) { return task.name == name; });
  if (found != tasks.end()) return *found;
  std::string known;
  for (const Task& task : tasks) known += (known.empty() ? "" : ", ") + task.name;
  throw UserError("task '" + name + "' does not exist; known: " + known);
}

std::vector<PlannedTest> plan_tests(const Manifest& manifest, const std::vector<Task>& tasks) {
  std::vector<PlannedTest> tests;
  for (const KernelSource& kernel : manifest.kernels) {
    const Task& task = find_task(tasks, kernel.entry.task);
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
