#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/clock_discrepancy.hpp"
#include "bench/interleaved_run.hpp"
#include "bench/roofline.hpp"

namespace robust_kbench {

// What a run knows of one subject.
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
  std::vector<double> sm_mhz;          // about the batches that gave samples
  ClockDiscrepancy discrepancy;        // on a GPU, of the same batches
  int dropped = 0;
  double hot_us = 0;  // these two decide nothing, see TimingRecord
  double latency_us = 0;
  std::optional<Judgement> rejection;

  void add(std::size_t worker, const BatchClock& clock);
  // Every worker has `least` samples, and the broker's rules have batches enough.
  [[nodiscard]] bool sampled(std::size_t least) const;
  // Finds by how much the samples of each worker say less than its calls take. That is in the batch
  // where they take least: a call that does the work of others does it in the same batch, what
  // spans leave out the broker's clock shows, and a busy machine leaves some batch alone. Of a
  // baseline it is 0: it does no such thing, but torch launches some calls of every batch late.
  void account(const std::optional<ExpectedDiscrepancy>& usual, double agreement);
  // What calls took: the samples, and by how much they say less.
  [[nodiscard]] WorkerSamples times() const;
  // The interval of their center is within +- `share` of it.
  [[nodiscard]] bool narrow(double share) const;
  // It would hardly be narrower with more samples of the same workers.
  [[nodiscard]] bool settled() const;
  // `stopped_by`: none where the run ended since nobody was left.
  [[nodiscard]] SubjectResult result(std::optional<StopReason> stopped_by) const;
};

// Of the baselines among the subjects of one run.
std::optional<ExpectedDiscrepancy> expected_discrepancy(
    const std::vector<SubjectSamples>& subjects);

// Spans that are false by the broker's clock. Some time may be hidden without a false claim: what a
// call leaves to the next sweep.
std::optional<Judgement> false_spans(const SubjectSamples& subject,
                                     const std::optional<ExpectedDiscrepancy>& usual,
                                     double agreement);

// A time in which nothing can do the work.
std::optional<Judgement> impossible_time(const SubjectSamples& subject, const Roofline& roofline);

}  // namespace robust_kbench
