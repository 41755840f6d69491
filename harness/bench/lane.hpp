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
        means_us(racer.workers.size()),
        excesses(racer.workers.size()),
        verified(racer.workers.size()) {}

  const Racer* racer;
  std::size_t calls = 1;  // of the next batch
  WorkerSamples samples;
  std::vector<std::vector<double>> means_us;  // of all calls of those batches, by worker
  std::vector<int> verified;                  // timed calls compared, by worker
  std::vector<double> sm_mhz;                 // about the batches that gave samples
  SpanExcess excess;                          // on a GPU
  std::vector<SpanExcess> excesses;           // the same, by worker
  int dropped = 0;
  std::optional<Finding> rejection;

  void add(std::size_t worker, const BatchClock& clock);
  // Every worker has `least` samples, and the broker's rules have batches enough.
  [[nodiscard]] bool sampled(std::size_t least) const;
  // By how much the calls of a worker take longer than its samples say, in the batch where they
  // take least: one that does the work of others does it in the same batch, and a busy machine
  // leaves some batch alone. Each worker has a sample. Of a baseline 0: it does no such thing, but
  // torch launches some calls of every batch late.
  [[nodiscard]] double skew_us(std::size_t worker) const;
  // What calls took: the samples of each worker, and its skew.
  [[nodiscard]] WorkerSamples times() const;
  // The interval of their center is within +- `share` of it.
  [[nodiscard]] bool narrow(double share) const;
  // It would hardly be narrower with more samples of the same workers.
  [[nodiscard]] bool settled() const;
  // `stopped_by`: empty where the race ended since nobody was left. `hidden_us`: by worker, added
  // to its samples.
  [[nodiscard]] RaceResult result(const std::string& stopped_by,
                                  const std::vector<double>& hidden_us) const;
};

// What the broker's clock says of a subject's spans on a GPU, against those of the baselines in the
// same race: time that a call hides, by worker. That of all batches together where a worker's own
// are too few to be certain.
std::vector<double> hidden_us(const Lane& lane, const std::vector<Lane>& lanes, double agreement);

// Spans that are false by the broker's clock. Some time may be hidden without a false claim: what a
// call leaves to the next sweep.
std::optional<Finding> false_spans(const Lane& lane, const std::vector<Lane>& lanes,
                                   double agreement);

// A time in which nothing can do the work.
std::optional<Finding> impossible_time(const Lane& lane, const Roofline& roofline);

}  // namespace robust_kbench
