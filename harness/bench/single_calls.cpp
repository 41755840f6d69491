#include "bench/single_calls.hpp"

#include <algorithm>

#include "bench/batch_runner.hpp"
#include "bench/subject_samples.hpp"
#include "core/statistics.hpp"

namespace robust_kbench {
namespace {

// Caches are colder in a call alone, and its threads have to be started again.
constexpr double tolerated_share = 0.25;

constexpr std::size_t calls_of_a_subject = 10;

// A busy machine lengthens some calls, but hardly all of them.
double longer_alone_us(const SingleCalls& calls) {
  return *std::ranges::min_element(calls.alone_us) - calls.in_batch_us;
}

SingleCalls single_calls(SubjectSamples& subject, BatchRunner& runner) {
  SingleCalls calls{.in_batch_us = center(subject.times()), .alone_us = {}};
  guarded(subject, [&] {
    for (std::size_t i = 0; i < calls_of_a_subject; ++i) {
      const std::size_t worker = i % subject.samples.size();
      calls.alone_us.push_back(runner.single_call_us(subject, worker));
    }
  });
  return calls;
}

}  // namespace

double worked_ahead_us(const SingleCalls& kernel, const std::vector<SingleCalls>& baselines) {
  if (kernel.alone_us.empty() || baselines.empty()) return 0;
  double usual = 0;
  for (const SingleCalls& baseline : baselines) {
    if (baseline.alone_us.empty()) continue;
    usual = std::max(usual, longer_alone_us(baseline));
  }
  const double longer = longer_alone_us(kernel) - usual;
  return longer > tolerated_share * kernel.in_batch_us ? longer : 0;
}

void count_longer_single_calls(std::vector<SubjectSamples>& subjects, BatchRunner& runner) {
  std::vector<SubjectSamples*> kernels;
  std::vector<SubjectSamples*> baselines;
  for (SubjectSamples& subject : subjects) {
    if (subject.run_subject->trusted) baselines.push_back(&subject);
    if (subject.may_work_ahead()) kernels.push_back(&subject);
  }
  if (kernels.empty() || baselines.empty()) return;
  std::vector<SingleCalls> of_baselines;
  for (SubjectSamples* baseline : baselines)
    of_baselines.push_back(single_calls(*baseline, runner));
  for (SubjectSamples* kernel : kernels) {
    kernel->raise(worked_ahead_us(single_calls(*kernel, runner), of_baselines));
  }
}

}  // namespace robust_kbench
