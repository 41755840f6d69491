#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/clock_discrepancy.hpp"
#include "bench/interleaved_run.hpp"
#include "bench/roofline.hpp"
#include "check/precision_pool.hpp"

namespace robust_kbench {

// The state of one subject in a run.
struct SubjectSamples {
  explicit SubjectSamples(const RunSubject& run_subject)
      : run_subject(&run_subject),
        samples(run_subject.workers.size()),
        understated_us(run_subject.workers.size()),
        verified(run_subject.workers.size()) {}

  const RunSubject* run_subject;
  std::size_t calls = 1;      // in the next batch
  std::size_t max_calls = 1;  // the most in any batch
  WorkerSamples samples;
  std::vector<double> understated_us;  // for each worker, see account()
  std::vector<int> verified;           // number of compared timed calls of each worker
  // Set after the first of a pair of comparisons: whether it was of a last call.
  std::optional<bool> half_of_pair;
  PrecisionPool precision;       // of the compared calls
  std::vector<double> sm_mhz;    // during the batches that gave samples
  ClockDiscrepancy discrepancy;  // on a GPU, of the same batches
  int dropped = 0;
  double hot_us = 0;  // these two decide nothing, see TimingRecord
  double latency_us = 0;
  std::optional<Judgement> rejection;
  std::optional<Judgement> false_spans;        // see SubjectResult
  std::chrono::duration<double> first_call{};  // by its first worker
  Pace pace = Pace::usual;

  // Whether the subject takes no further part in the run.
  [[nodiscard]] bool is_out() const { return rejection.has_value() || pace == Pace::too_slow; }
  // Sets the pace, which depends on the subject's first call.
  void take_pace(Pace of_first_call);

  void add(std::size_t worker, const BatchClock& clock);
  // True if every worker has `least` samples, and there are enough batches to judge claims by.
  [[nodiscard]] bool sampled(std::size_t least) const;
  // Computes how far a worker's median sample lies below the true cost of its calls, as its
  // cheapest batch shows it. A call that does the work of others does it within the same batch. The
  // broker's clock shows time that spans leave out, and even a busy machine leaves some batches
  // undisturbed. Always 0 for baselines: they hide no work, but torch launches some calls of every
  // batch late. So it is where a replay has to judge the spans, since the host may be slow as well.
  void account(const std::optional<ExpectedDiscrepancy>& usual, double agreement);
  // Whether a second processor could do much of a call before the batch comes to it.
  [[nodiscard]] bool may_work_ahead() const;
  // Raises the times of all workers. Call it once all samples are taken.
  void raise(double us);
  // The samples, each raised by the amount that its worker understates.
  [[nodiscard]] WorkerSamples times() const;
  // True if the interval of the center is within +- `share` of it.
  [[nodiscard]] bool narrow(double share) const;
  // True if more samples of the same workers would hardly narrow the interval.
  [[nodiscard]] bool settled() const;
  // `stopped_by` is empty if the run ended because no subject was left.
  [[nodiscard]] SubjectResult result(std::optional<StopReason> stopped_by) const;
};

// Runs a step of a subject that is not out. A Rejection rejects an untrusted subject. That of a
// trusted one ends everything, as HarnessError.
void guarded(SubjectSamples& subject, const std::function<void()>& step);

// The discrepancy of the baselines among the subjects of one run.
std::optional<ExpectedDiscrepancy> expected_discrepancy(
    const std::vector<SubjectSamples>& subjects);

// A finding if the broker's clock shows spans to be false. A call may leave some work to the next
// cache sweep without a false claim, so the time of that is allowed.
std::optional<Judgement> contradicted_spans(const SubjectSamples& subject,
                                            const std::optional<ExpectedDiscrepancy>& usual,
                                            double agreement);

// A finding if the time is too short for any kernel to do the work.
std::optional<Judgement> impossible_time(const SubjectSamples& subject, const Roofline& roofline);

}  // namespace robust_kbench
