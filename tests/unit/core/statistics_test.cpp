#include "core/statistics.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "core/error.hpp"
#include "core/ratio_call.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// Samples around 100 us. The relative scatter is `between` for workers and `within` for a worker's
// samples.
WorkerSamples noisy(double scale, double between, double within, unsigned seed,
                    std::size_t samples = 41, std::size_t count = 5) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  WorkerSamples workers(count);
  for (auto& worker : workers) {
    const double level = scale * (1 + between * normal(engine));
    for (std::size_t i = 0; i < samples; ++i) {
      worker.push_back(level * (1 + within * normal(engine)));
    }
  }
  return workers;
}

TEST(Statistics, QuantilesInterpolate) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(quantile({10, 0}, 0.25), 2.5);
  EXPECT_EQ(quantile({1, 2, 3}, 0), 1);
  EXPECT_EQ(quantile({1, 2, 3}, 1), 3);
  EXPECT_DOUBLE_EQ(geometric_mean({1, 4, 16}), 4);
}

TEST(Statistics, IntervalOfAMedianIsARangeOfValues) {
  const Interval of_three = median_interval({3, 1, 2});
  EXPECT_EQ(of_three.low, 1);
  EXPECT_EQ(of_three.high, 3);
  std::vector<double> hundred(100);
  std::iota(hundred.begin(), hundred.end(), 1);
  const Interval of_many = median_interval(hundred);
  EXPECT_EQ(of_many.low, 34);
  EXPECT_EQ(of_many.high, 67);
}

TEST(Statistics, RefusesEmptyRanges) {
  EXPECT_THROW((void)pseudomedian({}), HarnessError);
  EXPECT_THROW((void)interquartile_mean({}), HarnessError);
  EXPECT_THROW((void)median({}), HarnessError);
  EXPECT_THROW((void)quantile({}, 0.5), HarnessError);
  EXPECT_THROW((void)median_interval({}), HarnessError);
  EXPECT_THROW((void)geometric_mean({}), HarnessError);
  EXPECT_THROW((void)center({}), HarnessError);
  EXPECT_THROW((void)center({{1.0}, {}}), HarnessError);
  EXPECT_THROW((void)bootstrap_center({{1.0}, {}}, 1), HarnessError);
  EXPECT_THROW((void)bootstrap_geometric_mean({{{1.0}}}, {}, 1), HarnessError);
  EXPECT_THROW((void)bootstrap_center({{1.0, 0.0}}, 1), HarnessError) << "has no logarithm";
}

TEST(Statistics, InterquartileMeanIsOfTheMiddleHalf) {
  EXPECT_EQ(interquartile_mean({3}), 3);
  EXPECT_EQ(interquartile_mean({1, 2, 6}), 3) << "there is no quarter to leave out";
  EXPECT_EQ(interquartile_mean({100, 2, 4, -50}), 3);
  EXPECT_EQ(interquartile_mean({9, 1, 2, 3, 4, 5, 6, 7, 1e9}), 5);
}

TEST(Statistics, PseudomedianIsTheMedianOfTheMeansOfPairs) {
  EXPECT_EQ(pseudomedian({3}), 3);
  EXPECT_EQ(pseudomedian({1, 3, 2}), 2);
  EXPECT_EQ(pseudomedian({1, 2, 4, 8, 100}), 5);
  EXPECT_EQ(pseudomedian({1, 2, 4, 8, 1e9}), 5) << "wherever one of five is";
}

TEST(Statistics, CenterOfFiveWorkersIsTheirPseudomedian) {
  EXPECT_EQ(center({{1}, {2}, {4}, {8}, {100, 100, 100}}), 5);
}

// For normally distributed workers, the median's error is greater by a sixth.
TEST(Statistics, PseudomedianIsMoreExactThanTheMedian) {
  double of_median = 0;
  double of_pseudomedian = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    std::vector<double> values;
    for (const auto& worker : noisy(100, 0.01, 0, seed, 1)) values.push_back(worker[0]);
    of_median += std::pow(median(values) - 100, 2);
    of_pseudomedian += std::pow(pseudomedian(values) - 100, 2);
  }
  EXPECT_LT(of_pseudomedian, 0.85 * of_median);
}

TEST(Statistics, CenterOfFewWorkersIsTheMedianOfTheirMedians) {
  // One slow worker does not move the center, nor does it with more samples.
  EXPECT_EQ(center({{1, 1, 1}, {2, 2, 2}, {90, 90, 90, 90, 90, 90, 90}}), 2);
}

TEST(Statistics, SamplingShareSeparatesScatterOfWorkersFromThatOfSamples) {
  EXPECT_LT(sampling_share(noisy(100, 0.05, 0.01, 3)), 0.02);
  EXPECT_GT(sampling_share(noisy(100, 0, 0.05, 3)), 0.3);
  EXPECT_EQ(sampling_share({{5, 5, 5}, {5, 5, 5}}), 0);
  EXPECT_EQ(sampling_share({{4, 5, 6}, {4, 5, 6}}), 1) << "workers that do not differ";
  EXPECT_THROW((void)sampling_share({{1, 2, 3}}), HarnessError);
}

// With a hundred times the samples, they cause a hundredth of the variance.
TEST(Statistics, SamplingShareFallsWithTheNumberOfSamples) {
  const double few = sampling_share(noisy(100, 0.02, 0.02, 5, 10));
  const double many = sampling_share(noisy(100, 0.02, 0.02, 5, 1000));
  EXPECT_LT(many, few / 10);
}

TEST(Statistics, IntervalOfEqualSamplesIsAPoint) {
  const Interval interval = bootstrap_center({{5, 5, 5}, {5, 5}, {5}}, 1);
  EXPECT_EQ(interval.low, 5);
  EXPECT_EQ(interval.high, 5);
}

// If each worker's four samples were resampled alone, the stalled one would be half or more of
// every fourth draw.
TEST(Statistics, OneStalledSampleIsNotHalfOfAnInterval) {
  WorkerSamples samples(5, {9.9, 10, 10, 10.1});
  samples[0] = {9.9, 10, 10.1, 60};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Interval ratio = bootstrap_ratio(samples, samples, seed);
    EXPECT_GT(ratio.low, 0.95) << seed;
    EXPECT_LT(ratio.high, 1.05) << seed;
  }
}

TEST(Statistics, SameSeedSameInterval) {
  const WorkerSamples samples = noisy(100, 0.01, 0.05, 1);
  const Interval a = bootstrap_center(samples, 7);
  const Interval b = bootstrap_center(samples, 7);
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
  EXPECT_LT(a.low, center(samples));
  EXPECT_GT(a.high, center(samples));
}

TEST(Statistics, WorkersThatDifferWidenTheIntervalDespiteManySamples) {
  const Interval alike = bootstrap_center(noisy(100, 0.0, 0.01, 3, 2001), 1);
  const Interval apart = bootstrap_center(noisy(100, 0.05, 0.01, 3, 2001), 1);
  EXPECT_LT(alike.high - alike.low, 0.5);
  EXPECT_GT(apart.high - apart.low, 2.0);
}

// The code draws medians without making resamples. Medians of real resamples must have the same
// distribution.
TEST(Statistics, MedianOfOneWorkerIsResampledAsByDrawingItsSamples) {
  for (const std::size_t count : {1U, 2U, 7U, 40U, 41U}) {
    const std::vector<double> samples = noisy(100, 0, 0.1, 11, count)[0];
    std::mt19937_64 engine(5);
    std::uniform_int_distribution<std::size_t> pick(0, count - 1);
    std::vector<double> medians(20000);
    for (double& m : medians) {
      std::vector<double> resample(count);
      for (double& value : resample) value = samples[pick(engine)];
      m = median(std::move(resample));
    }
    const Interval interval = bootstrap_center({samples}, 9, 20000);
    EXPECT_NEAR(interval.low, quantile(medians, 0.025), 0.5) << count;
    EXPECT_NEAR(interval.high, quantile(medians, 0.975), 0.5) << count;
  }
}

// How often out of 400 times the interval over so many workers contains the truth.
int covered(std::size_t workers) {
  int count = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    const Interval interval =
        bootstrap_center(noisy(100, 0.01, 0.003, seed, 4, workers), seed, 400);
    count += interval.low <= 100 && 100 <= interval.high ? 1 : 0;
  }
  return count;
}

TEST(Statistics, IntervalCoversTheTruthAsOftenAsItSays) {
  EXPECT_NEAR(covered(5), 380, 9);
  EXPECT_NEAR(covered(20), 380, 9);
  for (const std::size_t few : {2U, 3U, 4U}) EXPECT_GE(covered(few), 371) << few;
}

TEST(Statistics, NoBoundOfATimeIsNegative) {
  const Interval interval = bootstrap_center({{1}, {1}, {10}, {1}, {1}}, 1);
  EXPECT_GT(interval.low, 0);
  EXPECT_GT(bootstrap_center({{1}, {100}}, 1).low, 0);
}

TEST(Statistics, RatioOfASubjectWithItselfIsSeldomCalled) {
  int wrong = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const Interval ratio = bootstrap_ratio(noisy(100, 0.01, 0.03, seed),
                                           noisy(100, 0.01, 0.03, seed + 1000), seed, 400);
    const RatioCall call = call_ratio(ratio, 0.02);
    wrong += call == RatioCall::faster || call == RatioCall::slower;
  }
  EXPECT_LE(wrong, 2);
}

TEST(Statistics, RatioIsBaselineOverKernel) {
  const Interval ratio = bootstrap_ratio(noisy(200, 0.002, 0.01, 1), noisy(100, 0.002, 0.01, 2), 1);
  EXPECT_NEAR(ratio.low, 2, 0.05);
  EXPECT_NEAR(ratio.high, 2, 0.05);
  EXPECT_EQ(call_ratio(ratio, 0.02), RatioCall::faster);
}

TEST(Statistics, GeometricMeanGoesOverConfigs) {
  const std::vector<WorkerSamples> kernel{noisy(10, 0, 0.001, 1), noisy(1000, 0, 0.001, 2)};
  const std::vector<WorkerSamples> baseline{noisy(40, 0, 0.001, 3), noisy(1000, 0, 0.001, 4)};
  const Interval mean = bootstrap_geometric_mean(baseline, kernel, 1);
  EXPECT_NEAR(mean.low, 2, 0.01);
  EXPECT_NEAR(mean.high, 2, 0.01);
}

// A slow process is slow in every config, so more configs do not average it out.
TEST(Statistics, GeometricMeanOfManyConfigsIsNoMoreCertainThanTheirWorkers) {
  const WorkerSamples baseline = noisy(100, 0.05, 0.001, 1);
  const WorkerSamples kernel = noisy(100, 0.05, 0.001, 2);
  const Interval one = bootstrap_ratio(baseline, kernel, 1);
  const std::vector<WorkerSamples> ten_baselines(10, baseline);
  const std::vector<WorkerSamples> ten_kernels(10, kernel);
  const Interval ten = bootstrap_geometric_mean(ten_baselines, ten_kernels, 1);
  EXPECT_NEAR(ten.high - ten.low, one.high - one.low, 0.1 * (one.high - one.low));
}

TEST(Statistics, CallsARatioOnlyIfTheWholeIntervalAgrees) {
  EXPECT_EQ(call_ratio({1.03, 1.1}, 0.02), RatioCall::faster);
  EXPECT_EQ(call_ratio({1.01, 1.1}, 0.02), RatioCall::ambiguous);
  EXPECT_EQ(call_ratio({0.99, 1.01}, 0.02), RatioCall::same);
  EXPECT_EQ(call_ratio({0.98, 1.02}, 0.02), RatioCall::same);
  EXPECT_EQ(call_ratio({0.97, 1.01}, 0.02), RatioCall::ambiguous);
  EXPECT_EQ(call_ratio({0.9, 0.97}, 0.02), RatioCall::slower);
  EXPECT_EQ(call_ratio({0.5, 1.5}, 0.02), RatioCall::ambiguous);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(call_ratio({nan, nan}, 0.02), RatioCall::ambiguous);
}

}  // namespace
}  // namespace robust_kbench
