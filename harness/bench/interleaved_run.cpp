#include "bench/interleaved_run.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <unistd.h>

#include "bench/batch_runner.hpp"
#include "bench/end_of_rounds.hpp"
#include "bench/first_calls.hpp"
#include "bench/single_calls.hpp"
#include "bench/subject_samples.hpp"
#include "core/cipher.hpp"
#include "core/error.hpp"
#include "core/seed.hpp"
#include "device/cpu.hpp"
#include "device/gpu_facts.hpp"
#include "device/gpu_peaks.hpp"
#include "process/other_load.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// A machine that cannot take the least number of samples in this time is too busy for timing.
constexpr std::chrono::minutes give_up_after{2};
// The number of processors that other processes may keep busy on a quiet machine, such as a desktop
// and its services.
constexpr double quiet_cpus = 0.25;

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
    const OtherLoad load(usable_cpus(), own_processes());
    std::optional<StopReason> stopped_by;
    while (running() && !stopped_by) {
      run_round();
      const std::optional<ExpectedDiscrepancy> usual = expected_discrepancy(m_subjects);
      for (SubjectSamples& subject : m_subjects) {
        guarded(subject, [&] { check_spans(subject, usual); });
        subject.account(usual, m_options.clock_agreement);
        guarded(subject, [&] { check_times(subject); });
      }
      stopped_by = end_of_rounds(m_subjects, m_options, m_batch_runner.elapsed());
      if (m_batch_runner.elapsed() > give_up_after && !have_least_samples(m_subjects, m_options)) {
        give_up();
      }
    }
    RunResults results{.busy_cpus = load.busy_cpus()};
    const bool on_gpu = m_conditions.device.is_cuda();
    if (on_gpu && m_options.warm_figures && stopped_by) estimate_warm();
    if (!on_gpu && stopped_by) count_longer_single_calls(m_subjects, m_batch_runner);
    for (SubjectSamples& subject : m_subjects)
      guarded(subject, [&] { require_no_children(subject); });
    results.disturbance = disturbance(results.busy_cpus);
    for (const SubjectSamples& subject : m_subjects)
      results.subjects.push_back(subject.result(stopped_by));
    if (m_roofline) results.roofline = {m_roofline->min_us, m_roofline->bound};
    return results;
  }

 private:
  // Whether an untrusted subject is still in the run.
  [[nodiscard]] bool running() const {
    return std::any_of(m_subjects.begin(), m_subjects.end(), [](const SubjectSamples& subject) {
      return !subject.run_subject->trusted && !subject.is_out();
    });
  }

  // The processes of the run: this one and the workers.
  [[nodiscard]] std::vector<pid_t> own_processes() const {
    std::set<pid_t> processes{getpid()};
    for (const SubjectSamples& subject : m_subjects) {
      for (const TimedWorker* worker : subject.run_subject->workers) {
        processes.insert(worker->pid());
      }
    }
    return {processes.begin(), processes.end()};
  }

  // On a GPU the host's load matters little.
  [[nodiscard]] std::string disturbance(const std::optional<double>& busy_cpus) const {
    if (!m_batch_runner.throttled().empty()) {
      return "the GPU was throttled (" + m_batch_runner.throttled() + ")";
    }
    const bool busy = !m_conditions.device.is_cuda() && busy_cpus && *busy_cpus > quiet_cpus;
    return busy ? "the machine was busy" : "";
  }

  void warm_up() {
    const WellConditionedCall call = m_batch_runner.well_conditioned_call();
    if (m_conditions.device.is_cuda()) find_roofline(call.expected);
    make_first_calls(m_subjects, m_batch_runner, call, m_conditions);
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
    std::size_t workers = 0;
    for (const SubjectSamples& subject : m_subjects) {
      workers = std::max(workers, subject.samples.size());
    }
    for (const std::size_t worker : shuffled(workers)) {
      std::unique_ptr<BatchContent> content;
      for (const std::size_t i : shuffled(m_subjects.size())) {
        SubjectSamples& subject = m_subjects[i];
        if (subject.is_out() || worker >= subject.samples.size()) continue;
        if (!content || m_conditions.own_content) {
          content.reset();  // so that the next one can use its memory
          content = m_batch_runner.content(calls_for(subject));
        }
        guarded(subject, [&] { m_batch_runner.take(subject, worker, *content); });
      }
    }
  }

  // The number of calls for a content that `first` is the first to get.
  [[nodiscard]] std::size_t calls_for(const SubjectSamples& first) const {
    std::size_t calls = first.calls;
    if (m_conditions.own_content) return calls;
    for (const SubjectSamples& subject : m_subjects) calls = std::max(calls, subject.calls);
    return calls;
  }

  void check_spans(SubjectSamples& subject, const std::optional<ExpectedDiscrepancy>& usual) const {
    subject.false_spans = contradicted_spans(subject, usual, m_options.clock_agreement);
    if (subject.false_spans && !subject.run_subject->replayed) {
      throw Rejection(*subject.false_spans);
    }
  }

  void check_times(const SubjectSamples& subject) const {
    if (subject.run_subject->trusted || !m_roofline) return;
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
  CipherStream m_random;
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
