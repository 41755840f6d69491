#include "filter/usual_cases.hpp"

#include <algorithm>

#include "evaluate/scope.hpp"

namespace robust_kbench {

std::vector<Case> usual_cases(const FilterSubject& subject) {
  const FilterOptions& options = subject.options();
  Scope scope{.nonce = options.nonce};
  const bool has_usual = !any_configs_of(subject.manifest(), subject.task(), subject.direction(),
                                         usual_configs(options.device))
                              .empty();
  if (options.configs || !has_usual) scope.sets = {subject.configs().front().set};
  std::vector<Case> cases =
      tested_cases(subject.manifest(), subject.task(), subject.direction(), options.device, scope);
  std::stable_sort(cases.begin(), cases.end(), [&](const Case& a, const Case& b) {
    const auto key = [&](const Case& c) {
      return std::pair(c.probe.has_value(), cost_of(subject.workload(c.config.params)).bytes);
    };
    return key(a) < key(b);
  });
  return cases;
}

}  // namespace robust_kbench
