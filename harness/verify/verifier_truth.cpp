#include "verify/verifier_truth.hpp"

#include <algorithm>
#include <functional>

#include "broker/worker_end.hpp"

namespace robust_kbench {
namespace {

using Finds = std::function<bool(const Judgement&)>;

// The first of the kernel's judgements that the verifier's class is about.
std::optional<VerifierTruth> finding(const KernelRecord& record, const Finds& finds) {
  const auto wrong = [](const Judgement& judgement) {
    return VerifierTruth{false, label(judgement) + ": " + judgement.reason};
  };
  if (finds(record.build.judgement)) return wrong(record.build.judgement);
  for (const CaseRecord& test : record.cases) {
    if (!test.refused && finds(test.judgement)) return wrong(test.judgement);
  }
  // A record that was read from a file has the build's judgement here alone.
  if (finds(record.judgement)) return wrong(record.judgement);
  return {};
}

bool is_refusal_to_load(const Judgement& judgement) {
  return judgement.verdict == Verdict::compile_error || judgement.verdict == Verdict::load_error;
}

bool is_memory_error(const Judgement& judgement) {
  switch (judgement.verdict) {
    case Verdict::unsafe:
    case Verdict::out_of_memory:
      return true;
    case Verdict::crash:
      return killed_by_access(judgement);
    case Verdict::cheat:
      return judgement.cheat_class == CheatClass::input_mutation ||
             judgement.cheat_class == CheatClass::out_of_bounds_write ||
             judgement.cheat_class == CheatClass::late_write;
    default:
      return false;
  }
}

bool is_wrong_result(const Judgement& judgement) {
  return judgement.verdict == Verdict::wrong_result ||
         judgement.verdict == Verdict::nondeterministic;
}

// Whether the kernel was called, in tests or in a race. The record is that of the last evaluation.
bool was_called(const KernelRecord& record) {
  return !record.timings.empty() ||
         std::ranges::any_of(record.cases, [](const CaseRecord& test) { return test.calls > 0; });
}

// Whether the tool that sees each access has looked and found nothing. Its reason says that it
// could not look, or its remarks.
bool passed_memcheck(const KernelRecord& record) {
  return std::ranges::any_of(record.cases, [](const CaseRecord& test) {
    return test.name == "sanitize/memcheck" && test.judgement.passes() &&
           test.judgement.reason.empty();
  });
}

}  // namespace

std::optional<VerifierTruth> truth_of(const KernelRecord& record, Verifier verifier) {
  switch (verifier) {
    case Verifier::compilation:
      if (auto wrong = finding(record, is_refusal_to_load)) return wrong;
      if (was_called(record)) return VerifierTruth{true};
      return {};
    case Verifier::memory:
      if (auto wrong = finding(record, is_memory_error)) return wrong;
      if (record.judgement.passes()) return VerifierTruth{true};
      if (finding(record, is_wrong_result) && passed_memcheck(record)) return VerifierTruth{true};
      return {};
    case Verifier::numerics:
      if (auto wrong = finding(record, is_wrong_result)) return wrong;
      if (record.judgement.passes()) return VerifierTruth{true};
      return {};
  }
  return {};
}

}  // namespace robust_kbench
