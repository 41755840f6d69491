#include "cli/exit_code.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace robust_kbench {

int exit_code(const std::vector<Verdict>& verdicts) {
  const auto any = [&](auto predicate) {
    return std::any_of(verdicts.begin(), verdicts.end(), predicate);
  };
  if (any([](Verdict v) { return v == Verdict::harness_error; })) return ExitCode::harness_error;
  if (any([](Verdict v) { return v != Verdict::pass && v != Verdict::skipped; })) {
    return ExitCode::rejected;
  }
  return any([](Verdict v) { return v == Verdict::pass; }) ? ExitCode::pass : ExitCode::skipped;
}

int exit_code(const std::vector<KernelRecord>& records) {
  std::vector<Verdict> verdicts;
  for (const KernelRecord& record : records) verdicts.push_back(record.judgement.verdict);
  return exit_code(verdicts);
}

}  // namespace robust_kbench
