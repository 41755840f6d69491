#pragma once

#include <cstdint>
#include <vector>

namespace robust_kbench {

struct Interval {
  double low = 0;
  double high = 0;
};

// The normal distribution's quantile of 0.975: a 95 % interval has two tails.
inline constexpr double interval_quantile = 1.959964;

// The seed of every bootstrap in a record. It is fixed, so that anybody can recompute the intervals
// from the samples.
inline constexpr std::uint64_t interval_seed = 1;

// Throw HarnessError on an empty range. `values` need not be sorted.
double median(std::vector<double> values);
double quantile(std::vector<double> values, double q);  // q in [0, 1], linear interpolation
// The mean of the values between the first and the third quartile.
double interquartile_mean(std::vector<double> values);
// The Hodges-Lehmann estimator: the median of the means of all pairs, including each value with
// itself. It is nearly as exact as the mean for normal values, and tolerates one outlier in five.
double pseudomedian(const std::vector<double>& values);
// Distribution-free 99.9 % interval of the median, from order statistics. It is min to max for ten
// or fewer values.
Interval median_interval(std::vector<double> values);
double geometric_mean(const std::vector<double>& values);

// Samples of one subject, by worker: the unit of replication is a fresh worker. All are positive.
using WorkerSamples = std::vector<std::vector<double>>;

// The pseudomedian over workers of each worker's median. With fewer than five workers, the median.
double center(const WorkerSamples& samples);

// The share of the variance of `center` that stems from each worker's few samples. The rest stems
// from the workers, and more samples would not reduce it. The estimate uses the quartiles of a
// worker's samples, so it needs some eight of them.
double sampling_share(const WorkerSamples& samples);

// 95 % interval of `center`, bootstrapped over workers, then over the samples of each. Samples are
// resampled from the pooled scatter of all workers about their medians. The interval is widened for
// the small number of workers, in ratio to the center.
Interval bootstrap_center(const WorkerSamples& samples, std::uint64_t seed, int resamples = 1000);

// 95 % interval of center(baseline) / center(kernel), both resampled. It is widened in the same
// way, as if the side with fewer workers caused all of the variance.
Interval bootstrap_ratio(const WorkerSamples& baseline, const WorkerSamples& kernel,
                         std::uint64_t seed, int resamples = 1000);

// 95 % interval of the geometric mean over configs of center(baseline) / center(kernel). A worker
// is the same process in all configs of its subject.
Interval bootstrap_geometric_mean(const std::vector<WorkerSamples>& baseline,
                                  const std::vector<WorkerSamples>& kernel, std::uint64_t seed,
                                  int resamples = 1000);

}  // namespace robust_kbench
