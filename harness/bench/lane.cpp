#include "bench/lane.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr std::size_t least_samples_to_settle = 8;
constexpr double settled_share = 0.1;      // of the variance: a twentieth of the interval
constexpr std::size_t least_batches = 10;  // before spans are called false
// What events and clocks may be wrong by where a time is called impossible.
constexpr double impossible_margin = 0.1;

std::vector<const SpanExcess*> of_baselines(const std::vector<Lane>& lanes) {
  std::vector<const SpanExcess*> baselines;
  for (const Lane& lane : lanes) {
    if (lane.racer->trusted && lane.excess.batches() > 0) baselines.push_back(&lane.excess);
  }
  return baselines;
}

}  // namespace

void Lane::add(std::size_t worker, const BatchClock& clock) {
  samples[worker].push_back(clock.sample_us());
  means_us[worker].push_back(clock.mean_us());
  if (clock.on_gpu) {
    excess.add(clock);
    excesses[worker].add(clock);
  }
  if (clock.gpu) sm_mhz.push_back(clock.gpu->sm_mhz);
}

bool Lane::sampled(std::size_t least) const {
  // On a CPU there is no excess, and no rule that would need it.
  const bool can_be_judged =
      racer->trusted || excess.batches() == 0 || excess.batches() >= least_batches;
  return can_be_judged && std::all_of(samples.begin(), samples.end(),
                                      [=](const auto& worker) { return worker.size() >= least; });
}

double Lane::skew_us(std::size_t worker) const {
  if (racer->trusted) return 0;
  const auto& means = means_us[worker];
  return std::max(0.0, *std::min_element(means.begin(), means.end()) - median(samples[worker]));
}

WorkerSamples Lane::times() const {
  WorkerSamples times = samples;
  for (std::size_t worker = 0; worker < times.size(); ++worker) {
    for (double& time : times[worker]) time += skew_us(worker);
  }
  return times;
}

bool Lane::narrow(double share) const {
  const WorkerSamples times = this->times();
  const Interval interval = bootstrap_center(times, interval_seed);
  return interval.high - interval.low <= 2 * share * center(times);
}

bool Lane::settled() const {
  const bool enough = std::all_of(samples.begin(), samples.end(), [](const auto& worker) {
    return worker.size() >= least_samples_to_settle;
  });
  return enough && sampling_share(times()) <= settled_share;
}

RaceResult Lane::result(const std::string& stopped_by, const std::vector<double>& hidden_us) const {
  RaceResult result;
  result.timing.subject = racer->name;
  result.rejection = rejection;
  if (rejection || stopped_by.empty()) return result;
  TimingRecord& timing = result.timing;
  timing.samples_us = times();
  timing.hidden_us = hidden_us;
  std::vector<double> all;
  for (std::size_t worker = 0; worker < samples.size(); ++worker) {
    timing.skew_us.push_back(skew_us(worker));
    for (double& sample : timing.samples_us[worker]) all.push_back(sample += hidden_us[worker]);
  }
  const Interval interval = bootstrap_center(timing.samples_us, interval_seed);
  timing.median_us = center(timing.samples_us);
  timing.ci_low_us = interval.low;
  timing.ci_high_us = interval.high;
  timing.quartile_low_us = quantile(all, 0.25);
  timing.quartile_high_us = quantile(all, 0.75);
  timing.workers = static_cast<int>(samples.size());
  timing.samples = static_cast<int>(all.size());
  timing.dropped = dropped;
  timing.sm_mhz = sm_mhz.empty() ? 0 : static_cast<int>(median(sm_mhz));
  timing.verified_calls = std::accumulate(verified.begin(), verified.end(), 0);
  timing.stopped_by = stopped_by;
  return result;
}

std::vector<double> hidden_us(const Lane& lane, const std::vector<Lane>& lanes, double agreement) {
  std::vector<double> hidden(lane.samples.size(), 0);
  if (lane.racer->trusted || lane.excess.batches() == 0) return hidden;
  const auto baselines = of_baselines(lanes);
  const double of_all = hidden_us(lane.excess, baselines, agreement);
  std::transform(lane.excesses.begin(), lane.excesses.end(), hidden.begin(),
                 [&](const SpanExcess& of_worker) {
                   if (of_worker.batches() == 0) return of_all;
                   return std::max(of_all, hidden_us(of_worker, baselines, agreement));
                 });
  return hidden;
}

std::optional<Finding> false_spans(const Lane& lane, const std::vector<Lane>& lanes,
                                   double agreement) {
  if (lane.racer->trusted || lane.excess.batches() < least_batches) return std::nullopt;
  const double hidden = hidden_us(lane.excess, of_baselines(lanes), agreement);
  if (hidden == 0 || hidden <= lane.excess.slack_us()) return std::nullopt;
  return Finding{
      .verdict = Verdict::cheat,
      .cheat_class = CheatClass::timing,
      .message = fmt::format(
          "calls claim {:.1f} us, but took {:.1f} us longer by the harness's clock (median over "
          "{} batches); it is {:.1f} us at most that a call leaves to what follows it",
          lane.excess.span_us(), hidden, lane.excess.batches(), lane.excess.slack_us())};
}

std::optional<Finding> impossible_time(const Lane& lane, const Roofline& roofline) {
  if (lane.excess.batches() < least_batches || !lane.sampled(1)) return std::nullopt;
  const double time = center(lane.times());
  if (time >= (1 - impossible_margin) * roofline.impossible_us) return std::nullopt;
  return Finding{
      .verdict = Verdict::cheat,
      .cheat_class = CheatClass::timing,
      .message = fmt::format("calls take {:.2f} us, and this GPU cannot read and compute what the "
                             "task asks for in less than {:.2f} us ({})",
                             time, roofline.impossible_us, roofline.bound)};
}

}  // namespace robust_kbench
