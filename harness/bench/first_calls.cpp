#include "bench/first_calls.hpp"

#include <algorithm>
#include <exception>
#include <future>

namespace robust_kbench {
namespace {

struct FirstCall {
  SubjectSamples* subject;
  std::exception_ptr failure;
  FirstAnswer answer = {};
};

// A worker and the subjects that it serves.
struct WorkerStart {
  TimedWorker* worker;
  std::size_t index;  // among the workers of each subject
  std::vector<SubjectSamples*> subjects;
  std::future<std::vector<FirstCall>> calls = {};
};

// Starts of baselines come first, since a kernel's pace depends on theirs.
std::vector<WorkerStart> worker_starts(std::vector<SubjectSamples>& subjects) {
  std::vector<WorkerStart> starts;
  for (const bool trusted : {true, false}) {
    for (SubjectSamples& subject : subjects) {
      if (subject.run_subject->trusted != trusted) continue;
      const std::vector<TimedWorker*>& workers = subject.run_subject->workers;
      for (std::size_t i = 0; i < workers.size(); ++i) {
        const auto known = std::ranges::find(starts, workers[i], &WorkerStart::worker);
        if (known != starts.end()) {
          known->subjects.push_back(&subject);
        } else {
          starts.push_back({.worker = workers[i], .index = i, .subjects = {&subject}});
        }
      }
    }
  }
  return starts;
}

void judge_pace(SubjectSamples& subject, std::chrono::duration<double> took,
                const std::vector<SubjectSamples>& subjects, const BenchOptions& options) {
  subject.first_call = took;
  if (subject.run_subject->trusted) return;
  std::chrono::duration<double> quickest = took;
  for (const SubjectSamples& other : subjects) {
    if (other.first_call.count() > 0) quickest = std::min(quickest, other.first_call);
  }
  subject.take_pace(pace_of(took, quickest, options.min_samples, options.pace));
}

std::vector<FirstCall> first_calls(const WorkerStart& start, const BatchRunner& runner,
                                   const WellConditionedCall& call) {
  std::vector<FirstCall> calls;
  for (SubjectSamples* subject : start.subjects) {
    calls.push_back({.subject = subject, .failure = nullptr});
    try {
      calls.back().answer = runner.first_call(*subject, *start.worker, call);
    } catch (...) {
      calls.back().failure = std::current_exception();
    }
  }
  return calls;
}

// Only one worker of a subject that hangs or is slow is waited for. Workers that have not begun are
// skipped if none of their subjects goes on in them.
bool is_waited_for(const WorkerStart& start) {
  return std::ranges::any_of(start.subjects, [&](const SubjectSamples* subject) {
    return !subject->is_out() && start.index < subject->samples.size();
  });
}

}  // namespace

void make_first_calls(std::vector<SubjectSamples>& subjects, const BatchRunner& runner,
                      const WellConditionedCall& call, const RunConditions& conditions) {
  // On a GPU a first call loads libraries for a second, and workers need not wait for each other.
  const auto policy = conditions.device.is_cuda() ? std::launch::async : std::launch::deferred;
  std::vector<WorkerStart> starts = worker_starts(subjects);
  for (WorkerStart& start : starts) {
    start.calls = std::async(policy, [&] { return first_calls(start, runner, call); });
  }
  for (WorkerStart& start : starts) {
    if (!is_waited_for(start)) continue;
    for (const FirstCall& first : start.calls.get()) {
      guarded(*first.subject, [&] {
        if (first.failure) std::rethrow_exception(first.failure);
        first.subject->max_calls = first.answer.max_calls;
        if (start.index == 0) {
          judge_pace(*first.subject, first.answer.took, subjects, conditions.options);
        }
      });
    }
  }
}

}  // namespace robust_kbench
