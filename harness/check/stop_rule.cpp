#include "check/stop_rule.hpp"

#include <algorithm>

#include "check/memory_retry.hpp"

namespace robust_kbench {
namespace {

// After three failures a kernel is known to be wrong, and the cheapest configs show how.
constexpr int max_failures = 3;
// A kernel that fails at such cost twice would do so in every case.
constexpr int max_costly_failures = 2;

// A call without an answer costs its whole time limit. A lack of GPU memory, even with the GPU
// alone, costs other kernels their time, too.
bool is_costly_failure(const CaseRecord& record, bool gpu) {
  return record.judgement.verdict == Verdict::timeout || (gpu && lacked_gpu_memory(record));
}

auto costly_failures(const std::vector<CaseRecord>& called, const ExamineOptions& options) {
  return std::count_if(called.begin(), called.end(), [&](const CaseRecord& record) {
    return is_costly_failure(record, options.worker.gpu);
  });
}

bool failed_enough(const std::vector<CaseRecord>& called, const ExamineOptions& options) {
  const auto failures = std::count_if(called.begin(), called.end(), [](const CaseRecord& record) {
    return !record.judgement.passes() && !record.refused;
  });
  return !options.all_cases && failures >= max_failures;
}

}  // namespace

bool calls_next_case(const std::vector<CaseRecord>& called, const ExamineOptions& options) {
  return !failed_enough(called, options) && costly_failures(called, options) < max_costly_failures;
}

bool calls_sequence(const std::vector<CaseRecord>& called, const ExamineOptions& options) {
  if (costly_failures(called, options) > 0) return false;
  // A kernel whose results depend on addresses gives a wrong result in a sequence, which shows it.
  const bool only_nondeterministic =
      std::none_of(called.begin(), called.end(), [](const CaseRecord& record) {
        return outranks(record.judgement.verdict, Verdict::nondeterministic);
      });
  return only_nondeterministic || !failed_enough(called, options);
}

}  // namespace robust_kbench
