#include "bench/interleaved_run.hpp"

#include <algorithm>
#include <exception>
#include <future>
#include <map>
#include <memory>
#include <numeric>
#include <random>

#include "bench/batch_runner.hpp"
#include "bench/subject_samples.hpp"
#include "core/error.hpp"
#include "core/seed.hpp"
#include "device/gpu_facts.hpp"
#include "device/gpu_peaks.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// A machine that cannot take the least number of samples in this time cannot time anything.
constexpr std::chrono::minutes give_up_after{2};

class InterleavedRun {
 public:
  InterleavedRun(const std::vector<RunSubject>& run_subjects, const RunConditions& conditions)
      : m_options(conditions.options),
        m_conditions(conditions),
        m_random(secret_key()),
        m_batch_runner(conditions) {
    for (const RunSubject& run_subject : run_subjects) m_subjects.emplace_back(run_subject);
  }

  RunResults run() {
    warm_up();
    for (SubjectSamples& subject : m_subjects)
      guarded(subject, [&] { m_batch_runner.calibrate(subject); });
    m_batch_runner.begin_rounds();
    std::optional<StopReason> stopped_by;
    while (running() && !stopped_by) {
      run_round();
      const std::optional<ExpectedDiscrepancy> usual = expected_discrepancy(m_subjects);
      for (SubjectSamples& subject : m_subjects) {
        subject.account(usual, m_options.clock_agreement);
        guarded(subject, [&] { check_times(subject, usual); });
      }
      if (!sampled()) {
        if (m_batch_runner.elapsed() > give_up_after) give_up();
        continue;
      }
      stopped_by = exact();
      if (!stopped_by && m_batch_runner.elapsed() >= m_options.cap) stopped_by = StopReason::cap;
    }
    const bool on_gpu = m_conditions.device.is_cuda();
    if (on_gpu && m_options.warm_figures && stopped_by) estimate_warm();
    for (SubjectSamples& subject : m_subjects)
      guarded(subject, [&] { require_no_children(subject); });
    RunResults results;
    for (const SubjectSamples& subject : m_subjects)
      results.subjects.push_back(subject.result(stopped_by));
    if (m_roofline) results.roofline = {m_roofline->min_us, m_roofline->bound};
    return results;
  }

 private:
  // Someone untrusted is still in the run.
  [[nodiscard]] bool running() const {
    return std::any_of(m_subjects.begin(), m_subjects.end(), [](const SubjectSamples& subject) {
      return !subject.run_subject->trusted && !subject.rejection;
    });
  }

  // An untrusted subject's failure ends its run; a trusted one's ends everything.
  template <typename Step>
  void guarded(SubjectSamples& subject, Step step) {
    if (subject.rejection) return;
    try {
      step();
    } catch (const Rejection& rejection) {
      if (subject.run_subject->trusted)
        throw baseline_failure(subject.run_subject->name, rejection.what());
      subject.rejection = rejection.judgement();
    }
  }

  void warm_up() {
    const WellConditionedCall call = m_batch_runner.well_conditioned_call();
    if (m_conditions.device.is_cuda()) find_roofline(call.expected);
    std::map<TimedWorker*, std::vector<SubjectSamples*>> subjects_of;
    for (SubjectSamples& subject : m_subjects) {
      for (TimedWorker* worker : subject.run_subject->workers)
        subjects_of[worker].push_back(&subject);
    }
    // On a GPU a first call loads libraries for a second, and workers need not wait for each other.
    const auto policy = m_conditions.device.is_cuda() ? std::launch::async : std::launch::deferred;
    std::map<TimedWorker*, std::future<std::vector<FirstCall>>> firsts;
    for (const auto& [worker, subjects] : subjects_of) {
      firsts[worker] = std::async(policy, [&, worker = worker, &subjects = subjects] {
        return first_calls(*worker, subjects, call);
      });
    }
    for (auto& [worker, of_worker] : firsts) {
      // A subject that hangs is waited for once. Workers that have not begun are skipped once all
      // their subjects are rejected.
      const auto rejected = [](const SubjectSamples* subject) {
        return subject->rejection.has_value();
      };
      if (std::all_of(subjects_of[worker].begin(), subjects_of[worker].end(), rejected)) continue;
      for (const FirstCall& first : of_worker.get()) {
        guarded(*first.subject, [&] {
          if (first.failure) std::rethrow_exception(first.failure);
          first.subject->max_calls = first.max_calls;
        });
      }
    }
  }

  struct FirstCall {
    SubjectSamples* subject;
    std::exception_ptr failure;
    std::size_t max_calls = 1;
  };

  [[nodiscard]] std::vector<FirstCall> first_calls(TimedWorker& worker,
                                                   const std::vector<SubjectSamples*>& subjects,
                                                   const WellConditionedCall& call) const {
    std::vector<FirstCall> calls;
    for (SubjectSamples* subject : subjects) {
      calls.push_back({.subject = subject, .failure = nullptr});
      try {
        calls.back().max_calls = m_batch_runner.first_call(*subject, worker, call);
      } catch (...) {
        calls.back().failure = std::current_exception();
      }
    }
    return calls;
  }

  void find_roofline(const std::vector<at::Tensor>& expected) {
    const Contract& own = m_conditions.workload.contract();
    if (!own.cost) return;
    double output_bytes = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::size_t element_bytes = c10::elementSize(own.outputs[i].dtype);
      output_bytes += static_cast<double>(expected[i].numel()) * static_cast<double>(element_bytes);
    }
    m_roofline = roofline(own.cost(m_conditions.workload.params), output_bytes, gpu_peaks(),
                          static_cast<double>(gpu_facts().l2_bytes));
  }

  void run_round() {
    for (const std::size_t worker : shuffled(m_subjects.front().samples.size())) {
      std::unique_ptr<BatchContent> content;
      for (const std::size_t i : shuffled(m_subjects.size())) {
        SubjectSamples& subject = m_subjects[i];
        if (subject.rejection) continue;
        if (!content || m_conditions.own_content) {
          content.reset();  // its memory serves the next one
          content = m_batch_runner.content(calls_for(subject));
        }
        guarded(subject, [&] { m_batch_runner.take(subject, worker, *content); });
      }
    }
  }

  // That a content must have which the subject is the first to get.
  [[nodiscard]] std::size_t calls_for(const SubjectSamples& first) const {
    std::size_t calls = first.calls;
    if (m_conditions.own_content) return calls;
    for (const SubjectSamples& subject : m_subjects) calls = std::max(calls, subject.calls);
    return calls;
  }

  void check_times(const SubjectSamples& subject,
                   const std::optional<ExpectedDiscrepancy>& usual) const {
    if (subject.run_subject->trusted) return;
    if (auto found = false_spans(subject, usual, m_options.clock_agreement)) {
      throw Rejection(*std::move(found));
    }
    if (!m_roofline) return;
    if (auto found = impossible_time(subject, *m_roofline)) throw Rejection(*std::move(found));
  }

  void estimate_warm() {
    const WellConditionedCall call = m_batch_runner.well_conditioned_call();
    for (SubjectSamples& subject : m_subjects)
      guarded(subject, [&] { m_batch_runner.estimate_warm(subject, call); });
  }

  static void require_no_children(const SubjectSamples& subject) {
    if (subject.run_subject->trusted) return;
    for (TimedWorker* worker : subject.run_subject->workers) worker->require_no_children();
  }

  std::vector<std::size_t> shuffled(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), m_random);
    return order;
  }

  [[nodiscard]] bool sampled() const {
    return std::all_of(m_subjects.begin(), m_subjects.end(), [this](const SubjectSamples& subject) {
      return subject.rejection || subject.sampled(m_options.min_samples);
    });
  }

  // The reason why more rounds are useless, or none if they are useful.
  [[nodiscard]] std::optional<StopReason> exact() const {
    StopReason reason = StopReason::interval;
    for (const SubjectSamples& subject : m_subjects) {
      if (subject.rejection || subject.narrow(m_options.target_interval)) continue;
      if (!subject.settled()) return std::nullopt;
      reason = StopReason::workers;
    }
    return reason;
  }

  void give_up() const {
    int dropped = 0;
    for (const SubjectSamples& subject : m_subjects) dropped += subject.dropped;
    throw HarnessError(fmt::format(
        "{} timed batches were interrupted in {:.1f} s and too few were left; is the machine "
        "busy{}?",
        dropped, m_batch_runner.elapsed().count(),
        m_batch_runner.throttled().empty() ? ""
                                           : ", or the GPU hot: " + m_batch_runner.throttled()));
  }

  const BenchOptions& m_options;
  const RunConditions& m_conditions;
  std::mt19937_64 m_random;
  BatchRunner m_batch_runner;
  std::vector<SubjectSamples> m_subjects;
  std::optional<Roofline> m_roofline;  // on a GPU
};

}  // namespace

RunResults run_interleaved(const std::vector<RunSubject>& run_subjects,
                           const RunConditions& conditions) {
  return InterleavedRun(run_subjects, conditions).run();
}

}  // namespace robust_kbench
