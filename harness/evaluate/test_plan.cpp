#include "evaluate/test_plan.hpp"

#include <utility>

#include "evaluate/requirements.hpp"
#include "evaluate/scope.hpp"
#include "tensor/task_registry.hpp"

namespace robust_kbench {
namespace {

// The last part of the test's name, which also selects its cases.
std::string test_of(const Case& c) {
  return c.probe ? probe_name(*c.probe) : c.name();
}

class TestPlan {
 public:
  TestPlan(const Manifest& manifest, const TaskRegistry& tasks, std::string only)
      : m_manifest(manifest), m_tasks(tasks), m_only(std::move(only)) {}

  void add_kernels() {
    for (const KernelSource& kernel : m_manifest.kernels) add_kernel(kernel, /*each_case=*/true);
  }

  void add_plain_kernels() {
    for (const TaskDirectory& directory : m_manifest.tasks) {
      const Task& task = m_tasks.find(directory.name);
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        if (direction == Direction::backward && !task.backward_contract) continue;
        for (const Device device : {Device::cpu, Device::cuda}) {
          const auto kernel = m_manifest.plain_kernel({task.name, direction}, device);
          if (kernel) add_kernel(*kernel, /*each_case=*/false);
        }
      }
    }
  }

  [[nodiscard]] std::vector<PlannedTest> tests() const { return m_tests; }

 private:
  void add_kernel(const KernelSource& kernel, bool each_case) {
    if (!m_only.empty() && !m_only.starts_with(test_name(kernel.entry, kernel.name, ""))) return;
    const Task& task = m_tasks.find(kernel.entry.task);
    const auto shared = std::make_shared<const KernelSource>(kernel);
    const std::vector<Case> cases = tested_cases(m_manifest, task, kernel.entry.direction,
                                                 kernel.device, {.coverage = kernel.coverage});
    const auto add = [&](PlannedTest::Kind kind, const std::string& what, std::size_t count) {
      m_tests.push_back({.name = test_name(kernel.entry, kernel.name, what),
                         .kind = kind,
                         .task = &task,
                         .kernel = shared,
                         .only_case = what,
                         .count = count});
    };
    if (const std::string reason = skip_reason(kernel, m_manifest.toolchain); !reason.empty()) {
      add(PlannedTest::Kind::skipped, "skipped", cases.size());
      m_tests.back().only_case.clear();
      m_tests.back().skip_reason = reason;
      return;
    }
    std::string latest;
    for (const Case& c : cases) {
      if (!each_case) break;
      const std::string what = test_of(c);
      if (what == latest) {  // the cases of a probe follow each other
        ++m_tests.back().count;
      } else {
        add(PlannedTest::Kind::cases, what, 1);
      }
      latest = what;
    }
    add(PlannedTest::Kind::sequence, std::string(sequence_name), cases.size());
  }

  const Manifest& m_manifest;
  const TaskRegistry& m_tasks;
  const std::string m_only;
  std::vector<PlannedTest> m_tests;
};

}  // namespace

std::vector<PlannedTest> plan_tests(const Manifest& manifest, const TaskRegistry& tasks,
                                    const std::string& only) {
  TestPlan plan(manifest, tasks, only);
  plan.add_kernels();
  plan.add_plain_kernels();
  return plan.tests();
}

}  // namespace robust_kbench
