#include "evaluate/test_plan.hpp"

#include "evaluate/requirements.hpp"
#include "evaluate/scope.hpp"

namespace robust_kbench {
namespace {

// What its test is called by and asks for.
std::string test_of(const Case& c) {
  return c.probe ? probe_name(*c.probe) : c.name();
}

}  // namespace

std::vector<PlannedTest> plan_tests(const Manifest& manifest, const TaskRegistry& tasks) {
  std::vector<PlannedTest> tests;
  for (const KernelSource& kernel : manifest.kernels) {
    const Task& task = tasks.find(kernel.entry.task);
    const std::vector<Case> cases = tested_cases(
        manifest, task, kernel.entry.direction, kernel.device, {.listed_only = kernel.listed_only});
    const auto add = [&](PlannedTest::Kind kind, const std::string& what, std::size_t count) {
      tests.push_back({.name = test_name(kernel.entry, kernel.name, what),
                       .kind = kind,
                       .task = &task,
                       .kernel = &kernel,
                       .only_case = what,
                       .count = count});
    };
    if (const std::string reason = skip_reason(kernel, manifest.toolchain); !reason.empty()) {
      add(PlannedTest::Kind::skipped, "skipped", cases.size());
      tests.back().only_case.clear();
      tests.back().skip_reason = reason;
      continue;
    }
    std::string latest;
    for (const Case& c : cases) {
      const std::string what = test_of(c);
      if (what == latest) {  // the cases of a probe follow each other
        ++tests.back().count;
      } else {
        add(PlannedTest::Kind::cases, what, 1);
      }
      latest = what;
    }
    add(PlannedTest::Kind::sequence, std::string(sequence_name), cases.size());
  }
  return tests;
}

}  // namespace robust_kbench
