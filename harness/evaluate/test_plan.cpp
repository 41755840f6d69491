#include "evaluate/test_plan.hpp"

#include <cstdint>
#include <map>

#include "evaluate/probe_cases.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/scope.hpp"

namespace robust_kbench {
namespace {

std::map<Probe, std::vector<Case>> by_probe(const Manifest& manifest, const Task& task,
                                            const KernelSource& kernel) {
  std::map<Probe, std::vector<Case>> probes;
  constexpr std::uint64_t any_nonce = 0;
  for (Case& c :
       probe_cases(manifest, task, kernel.entry.direction, kernel.device, any_nonce).cases) {
    probes[*c.probe].push_back(std::move(c));
  }
  return probes;
}

}  // namespace

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
                       .cases = std::move(of),
                       .only_case = what});
    };
    if (const std::string reason = skip_reason(kernel, manifest.toolchain); !reason.empty()) {
      add(PlannedTest::Kind::skipped, "skipped", cases);
      tests.back().skip_reason = reason;
      tests.back().only_case.clear();
      continue;
    }
    for (const Case& c : cases) add(PlannedTest::Kind::single_case, c.name(), {c});
    for (auto& [probe, of] : by_probe(manifest, task, kernel)) {
      add(PlannedTest::Kind::probe, std::string(to_string(probe)), std::move(of));
    }
    add(PlannedTest::Kind::sequence, std::string(sequence_name), cases);
  }
  return tests;
}

}  // namespace robust_kbench
