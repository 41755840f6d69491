#include "core/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "core/error.hpp"
#include "core/seed.hpp"

namespace robust_kbench {
namespace {

constexpr double interval_tail = 0.025;  // outside a 95 % interval, on each side

void require_some(bool some, const char* what) {
  if (!some) throw HarnessError(std::string(what) + " of no values");
}

double sorted_quantile(const std::vector<double>& sorted, double q) {
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// With fewer values a single outlier would move a pseudomedian.
constexpr std::size_t min_for_pseudomedian = 5;

double location(const std::vector<double>& values) {
  return values.size() < min_for_pseudomedian ? median(values) : pseudomedian(values);
}

// The quantile 1 - interval_tail of Student's t, by its expansion in 1 / degrees of freedom
// (Abramowitz and Stegun, 26.7.5).
double student_quantile(double degrees) {
  constexpr double z = interval_quantile;
  constexpr double z3 = z * z * z;
  constexpr double z5 = z3 * z * z;
  constexpr double z7 = z5 * z * z;
  return z + (z3 + z) / (4 * degrees) + (5 * z5 + 16 * z3 + 3 * z) / (96 * degrees * degrees) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * degrees * degrees * degrees);
}

// The factor by which a bootstrap over so few workers is too narrow. Resampled workers scatter less
// than fresh ones would, and their scatter is itself estimated from few (Hesterberg, 2015,
// https://arxiv.org/abs/1411.5279, section 5). For the median of fewer than five, the factors were
// simulated with normally distributed workers.
double narrowness(std::size_t workers) {
  switch (workers) {
    case 1:
      return 1;  // one worker says nothing about the scatter of workers
    case 2:
      return 12.9;
    case 3:
      return 4.2;
    case 4:
      return 1.7;
    default:
      const auto count = static_cast<double>(workers);
      return std::sqrt(count / (count - 1)) * student_quantile(count - 1) / interval_quantile;
  }
}

// splitmix64 as a <random> engine: value i depends on the key and i alone.
class CounterEngine {
 public:
  using result_type = std::uint64_t;
  explicit CounterEngine(std::uint64_t key) : m_key(mix(key)) {}
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() { return mix(m_key + 0x9e3779b97f4a7c15ULL * m_counter++); }

  // Uniform in (0, 1), never 0, so that its logarithm is finite.
  double uniform() { return (static_cast<double>((*this)() >> 11) + 0.5) * 0x1p-53; }

 private:
  std::uint64_t m_key;
  std::uint64_t m_counter = 0;
};

// Draws medians of n values, sampled from the data with replacement, without drawing the values.
// Resampling picks data[floor(size * u)] of the sorted data for n uniforms u. So the k-th smallest
// value is data[floor(size * U)], where U is the k-th smallest uniform. U is distributed as Beta(k,
// n - k + 1).
class MedianResampler {
 public:
  explicit MedianResampler(std::vector<double> data) : m_sorted(std::move(data)) {
    std::sort(m_sorted.begin(), m_sorted.end());
  }

  double draw(std::size_t n, CounterEngine& engine) const {
    const std::size_t rank = (n + 1) / 2;
    const double lower = beta(rank, n - rank + 1, engine);
    if (n % 2 == 1) return at(lower);
    // The next order statistic: the least of the n - rank uniforms left in (lower, 1).
    const double least = 1 - std::pow(engine.uniform(), 1 / static_cast<double>(n - rank));
    return 0.5 * (at(lower) + at(lower + (1 - lower) * least));
  }

 private:
  static double beta(std::size_t a, std::size_t b, CounterEngine& engine) {
    const double x = std::gamma_distribution<double>(static_cast<double>(a))(engine);
    const double y = std::gamma_distribution<double>(static_cast<double>(b))(engine);
    return x / (x + y);
  }

  [[nodiscard]] double at(double uniform) const {
    const auto index = static_cast<std::size_t>(uniform * static_cast<double>(m_sorted.size()));
    return m_sorted[std::min(index, m_sorted.size() - 1)];
  }

  std::vector<double> m_sorted;
};

// A number in (0, 1) for each place of a resample, which chooses the worker there.
using WorkerDraws = std::vector<double>;

WorkerDraws draw_workers(std::size_t count, CounterEngine& engine) {
  WorkerDraws draws(count);
  for (double& draw : draws) draw = engine.uniform();
  return draws;
}

// All samples, each divided by its worker's median.
std::vector<double> scatter(const WorkerSamples& samples) {
  require_some(!samples.empty(), "workers: center");
  std::vector<double> ratios;
  for (const auto& worker : samples) {
    require_some(!worker.empty(), "samples of a worker: median");
    const double of_worker = median(worker);
    for (const double sample : worker) {
      if (!(sample > 0)) throw HarnessError("interval of samples that are not positive");
      ratios.push_back(sample / of_worker);
    }
  }
  return ratios;
}

// Draws centers: resamples the workers with replacement, then the samples of each. The scatter of
// samples about their worker's median is pooled over all workers. Otherwise a single outlier would
// make up half of a worker's few samples in every fourth draw.
class CenterResampler {
 public:
  explicit CenterResampler(const WorkerSamples& samples) : m_scatter(scatter(samples)) {
    for (const auto& worker : samples) m_workers.push_back({median(worker), worker.size()});
  }

  [[nodiscard]] std::size_t workers() const { return m_workers.size(); }

  // The logarithm of the center of the workers chosen by `draws`, one draw for each worker.
  double draw_log(const WorkerDraws& draws, CounterEngine& engine) const {
    std::vector<double> medians(m_workers.size());
    for (std::size_t i = 0; i < medians.size(); ++i) {
      const auto worker =
          static_cast<std::size_t>(draws[i] * static_cast<double>(m_workers.size()));
      medians[i] = m_workers[worker].median * m_scatter.draw(m_workers[worker].samples, engine);
    }
    return std::log(location(medians));
  }

 private:
  struct Worker {
    double median;
    std::size_t samples;
  };

  MedianResampler m_scatter;
  std::vector<Worker> m_workers;
};

std::size_t max_workers(const std::vector<CenterResampler>& configs) {
  std::size_t workers = 0;
  for (const CenterResampler& config : configs) workers = std::max(workers, config.workers());
  return workers;
}

// The interval of an estimate over `workers` workers, where `draw_log` gives logarithms of
// resamples. It is widened as a ratio, so that no bound of a time is negative.
template <typename Draw>
Interval bootstrap(double estimate, std::size_t workers, int resamples, Draw draw_log) {
  require_some(resamples > 0, "resamples: interval");
  std::vector<double> logs(static_cast<std::size_t>(resamples));
  for (double& value : logs) value = draw_log();
  std::sort(logs.begin(), logs.end());
  const double center = std::log(estimate);
  const auto bound = [&](double q) {
    return estimate * std::exp(narrowness(workers) * (sorted_quantile(logs, q) - center));
  };
  return {bound(interval_tail), bound(1 - interval_tail)};
}

}  // namespace

double median(std::vector<double> values) {
  return quantile(std::move(values), 0.5);
}

double quantile(std::vector<double> values, double q) {
  require_some(!values.empty(), "quantile");
  std::sort(values.begin(), values.end());
  return sorted_quantile(values, q);
}

double pseudomedian(const std::vector<double>& values) {
  require_some(!values.empty(), "pseudomedian");
  std::vector<double> means;
  means.reserve(values.size() * (values.size() + 1) / 2);
  for (auto a = values.begin(); a != values.end(); ++a) {
    for (auto b = a; b != values.end(); ++b) means.push_back((*a + *b) / 2);
  }
  return median(std::move(means));
}

double interquartile_mean(std::vector<double> values) {
  require_some(!values.empty(), "interquartile mean");
  std::sort(values.begin(), values.end());
  const auto cut = static_cast<std::ptrdiff_t>(values.size() / 4);
  const double sum = std::accumulate(values.begin() + cut, values.end() - cut, 0.0);
  return sum / static_cast<double>(static_cast<std::ptrdiff_t>(values.size()) - 2 * cut);
}

Interval median_interval(std::vector<double> values) {
  if (values.empty()) throw HarnessError("median_interval of nothing");
  std::sort(values.begin(), values.end());
  // The number of values below the median has mean n / 2 and standard deviation sqrt(n) / 2.
  constexpr double deviations = 3.29;
  const auto count = static_cast<double>(values.size());
  const double rank = std::max(0.0, std::floor((count - deviations * std::sqrt(count)) / 2));
  const auto low = static_cast<std::size_t>(rank);
  return {values[low], values[values.size() - 1 - low]};
}

double geometric_mean(const std::vector<double>& values) {
  require_some(!values.empty(), "geometric mean");
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

double center(const WorkerSamples& samples) {
  std::vector<double> medians;
  for (const auto& worker : samples) medians.push_back(median(worker));
  return location(medians);
}

double sampling_share(const WorkerSamples& samples) {
  // The standard error of the median of n normal values is 0.929 interquartile ranges over sqrt(n).
  constexpr double error_per_range = 0.929;
  std::vector<double> medians;
  double of_samples = 0;
  for (const auto& worker : samples) {
    medians.push_back(median(worker));
    const double range = quantile(worker, 0.75) - quantile(worker, 0.25);
    of_samples += std::pow(error_per_range * range, 2) / static_cast<double>(worker.size());
  }
  require_some(medians.size() > 1, "workers: variance");
  const auto count = static_cast<double>(medians.size());
  const double mean = std::accumulate(medians.begin(), medians.end(), 0.0) / count;
  double of_medians = 0;
  for (const double m : medians) of_medians += (m - mean) * (m - mean) / (count - 1);
  return of_samples == 0 ? 0 : std::min(1.0, of_samples / count / of_medians);
}

Interval bootstrap_center(const WorkerSamples& samples, std::uint64_t seed, int resamples) {
  const CenterResampler resampler(samples);
  CounterEngine engine(seed);
  return bootstrap(center(samples), samples.size(), resamples, [&] {
    return resampler.draw_log(draw_workers(samples.size(), engine), engine);
  });
}

Interval bootstrap_ratio(const WorkerSamples& baseline, const WorkerSamples& kernel,
                         std::uint64_t seed, int resamples) {
  return bootstrap_geometric_mean({baseline}, {kernel}, seed, resamples);
}

Interval bootstrap_geometric_mean(const std::vector<WorkerSamples>& baseline,
                                  const std::vector<WorkerSamples>& kernel, std::uint64_t seed,
                                  int resamples) {
  require_some(!baseline.empty() && baseline.size() == kernel.size(),
               "configs with both subjects: ratio");
  const std::vector<CenterResampler> numerators(baseline.begin(), baseline.end());
  const std::vector<CenterResampler> denominators(kernel.begin(), kernel.end());
  std::vector<double> ratios;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    ratios.push_back(center(baseline[i]) / center(kernel[i]));
    fewest = std::min({fewest, baseline[i].size(), kernel[i].size()});
  }
  CounterEngine engine(seed);
  return bootstrap(geometric_mean(ratios), fewest, resamples, [&] {
    const WorkerDraws of_baseline = draw_workers(max_workers(numerators), engine);
    const WorkerDraws of_kernel = draw_workers(max_workers(denominators), engine);
    double log_ratio = 0;
    for (std::size_t i = 0; i < numerators.size(); ++i) {
      log_ratio += numerators[i].draw_log(of_baseline, engine);
      log_ratio -= denominators[i].draw_log(of_kernel, engine);
    }
    return log_ratio / static_cast<double>(numerators.size());
  });
}

}  // namespace robust_kbench
