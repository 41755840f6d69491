#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/race.hpp"
#include "bench/roofline.hpp"
#include "bench/span_excess.hpp"

namespace robust_kbench {

// What a race knows of one subject.
struct Lane {
  explicit Lane(const Racer& racer)
      : racer(&racer),
        samples(racer.workers.size()),
        understated_us(racer.workers.size()),
        verified(racer.workers.size()) {}

  const Racer* racer;
  std::size_t calls = 1;       // of the next batch
  std::size_t most_calls = 1;  // that any may have
  WorkerSamples samples;
  std::vector<double> understated_us;  // by worker, see account()
  std::vector<int> verified;           // timed calls compared, by worker
  std::vector<double> sm_mhz;          // about the batches that gave samples
  SpanExcess excess;                   // on a GPU, of the same batches
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
  void account(const std::optional<UsualExcess>& usual, double agreement);
  // What calls took: the samples, and by how much they say less.
  [[nodiscard]] WorkerSamples times() const;
  // The interval of their center is within +- `share` of it.
  [[nodiscard]] bool narrow(double share) const;
  // It would hardly be narrower with more samples of the same workers.
  [[nodiscard]] bool settled() const;
  // `stopped_by`: none where the race ended since nobody was left.
  [[nodiscard]] RaceResult result(std::optional<StopReason> stopped_by) const;
};

// Of the baselines among the subjects of one race.
std::optional<UsualExcess> usual_excess(const std::vector<Lane>& lanes);

// Spans that are false by the broker's clock. Some time may be hidden without a false claim: what a
// call leaves to the next sweep.
std::optional<Judgement> false_spans(const Lane& lane, const std::optional<UsualExcess>& usual,
                                     double agreement);

// A time in which nothing can do the work.
std::optional<Judgement> impossible_time(const Lane& lane, const Roofline& roofline);

}  // namespace robust_kbench
