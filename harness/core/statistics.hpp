#pragma once

#include <cstdint>
#include <vector>

namespace robust_kbench {

struct Interval {
  double low = 0;
  double high = 0;
};

// Of every bootstrap of a record, so that its intervals can be computed again from its samples.
inline constexpr std::uint64_t interval_seed = 1;

// Throw HarnessError on an empty range. `values` need not be sorted.
double median(std::vector<double> values);
double quantile(std::vector<double> values, double q);  // q in [0, 1], linear interpolation
// Of the middle half: what is left without the least quarter and the greatest.
double interquartile_mean(std::vector<double> values);
// The estimator of Hodges and Lehmann: the median of the means of all pairs, each value's with
// itself too. Nearly as exact as the mean where values scatter normally, and one value in five may
// be any.
double pseudomedian(const std::vector<double>& values);
// 99.9 % interval of the median, whatever the distribution: the range between two of the values, of
// ten or fewer that of all.
Interval median_interval(std::vector<double> values);
double geometric_mean(const std::vector<double>& values);

// Samples of one subject, by worker: the unit of replication is a fresh worker. All are positive.
using WorkerSamples = std::vector<std::vector<double>>;

// The pseudomedian over workers of each worker's median; over fewer than five, the median.
double center(const WorkerSamples& samples);

// Of the variance of `center`, the share that each worker's few samples bring in; the rest is that
// of the workers, which no more samples would lessen. By the quartiles of a worker's samples, so it
// says little of fewer than some eight.
double sampling_share(const WorkerSamples& samples);

// 95 % interval of `center`, bootstrapped over workers, then over the samples of each, as those of
// all workers scatter about their medians, and widened for how few the workers are, in ratio to the
// center.
Interval bootstrap_center(const WorkerSamples& samples, std::uint64_t seed, int resamples = 1000);

// 95 % interval of center(baseline) / center(kernel), both resampled. Widened in the same way: as
// if the side with fewer workers brought in all of the variance.
Interval bootstrap_ratio(const WorkerSamples& baseline, const WorkerSamples& kernel,
                         std::uint64_t seed, int resamples = 1000);

// 95 % interval of the geometric mean over configs of center(baseline) / center(kernel). A worker
// is the same process in all configs of its subject.
Interval bootstrap_geometric_mean(const std::vector<WorkerSamples>& baseline,
                                  const std::vector<WorkerSamples>& kernel, std::uint64_t seed,
                                  int resamples = 1000);

}  // namespace robust_kbench
