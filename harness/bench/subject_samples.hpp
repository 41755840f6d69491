#pragma once

#include <chrono>
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
  std::size_t calls = 1;      // of the next batch
  std::size_t max_calls = 1;  // that any may have
  WorkerSamples samples;
  std::vector<double> understated_us;  // by worker, see account()
  std::vector<int> verified;           // timed calls compared, by worker
  // Whether the first of a pair of comparisons was of a last call, where the second is still due.
  std::optional<bool> half_of_pair;
  PrecisionPool precision;       // of these calls
  std::vector<double> sm_mhz;    // about the batches that gave samples
  ClockDiscrepancy discrepancy;  // on a GPU, of the same batches
  int dropped = 0;
  double hot_us = 0;  // these two decide nothing, see TimingRecord
  double latency_us = 0;
  std::optional<Judgement> rejection;
  std::chrono::duration<double> first_call{};  // of its first worker
  Pace pace = Pace::usual;

  // It takes no further part in the run.
  [[nodiscard]] bool is_out() const { return rejection.has_value() || pace == Pace::too_slow; }
  // Takes up the pace that its first call asks for.
  void take_pace(Pace of_first_call);

  void add(std::size_t worker, const BatchClock& clock);
  // True when every worker has `least` samples, and there are enough batches to judge claims by.
  [[nodiscard]] bool sampled(std::size_t least) const;
  // Computes how far a worker's median sample lies below the true cost of its calls, estimated by
  // its cheapest batch. A call that does the work of others does it within the same batch. The
  // broker's clock shows time that spans leave out, and a busy machine leaves some batch
  // undisturbed. Always 0 for baselines: they hide no work, but torch launches some calls of every
  // batch late.
  void account(const std::optional<ExpectedDiscrepancy>& usual, double agreement);
  // The samples, each raised by what its worker understates.
  [[nodiscard]] WorkerSamples times() const;
  // True when the interval of the center is within +- `share` of it.
  [[nodiscard]] bool narrow(double share) const;
  // True when more samples of the same workers would hardly narrow the interval.
  [[nodiscard]] bool settled() const;
  // `stopped_by` is empty where the run ended because nobody was left.
  [[nodiscard]] SubjectResult result(std::optional<StopReason> stopped_by) const;
};

// The discrepancy of the baselines among the subjects of one run.
std::optional<ExpectedDiscrepancy> expected_discrepancy(
    const std::vector<SubjectSamples>& subjects);

// Finds spans that the broker's clock shows to be false. A call may hide the time that it leaves to
// the next cache sweep without a false claim, so that much is allowed.
std::optional<Judgement> false_spans(const SubjectSamples& subject,
                                     const std::optional<ExpectedDiscrepancy>& usual,
                                     double agreement);

// Finds a time in which nothing can do the work.
std::optional<Judgement> impossible_time(const SubjectSamples& subject, const Roofline& roofline);

}  // namespace robust_kbench
