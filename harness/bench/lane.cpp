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

}  // namespace

void Lane::add(std::size_t worker, const BatchClock& clock) {
  samples[worker].push_back(clock.sample_us());
  if (clock.on_gpu) excess.add(worker, clock);
  if (clock.gpu) sm_mhz.push_back(clock.gpu->sm_mhz);
}

bool Lane::sampled(std::size_t least) const {
  // On a CPU there is no excess, and no rule that would need it.
  const bool can_be_judged =
      racer->trusted || excess.batches() == 0 || excess.batches() >= least_batches;
  return can_be_judged && std::all_of(samples.begin(), samples.end(),
                                      [=](const auto& worker) { return worker.size() >= least; });
}

void Lane::account(const std::optional<UsualExcess>& usual, double agreement) {
  if (racer->trusted || excess.batches() == 0) return;
  for (std::size_t worker = 0; worker < samples.size(); ++worker) {
    if (samples[worker].empty()) continue;
    const double least = excess.least_us(worker, usual, agreement);
    understated_us[worker] = std::max(0.0, least - median(samples[worker]));
  }
}

WorkerSamples Lane::times() const {
  WorkerSamples times = samples;
  for (std::size_t worker = 0; worker < times.size(); ++worker) {
    for (double& time : times[worker]) time += understated_us[worker];
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

RaceResult Lane::result(std::optional<StopReason> stopped_by) const {
  RaceResult result;
  result.timing.subject = racer->name;
  result.rejection = rejection;
  if (rejection || !stopped_by) return result;
  TimingRecord& timing = result.timing;
  timing.samples_us = times();
  timing.understated_us = understated_us;
  std::vector<double> all;
  for (const auto& worker : timing.samples_us) all.insert(all.end(), worker.begin(), worker.end());
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
  timing.hot_us = hot_us;
  timing.latency_us = latency_us;
  timing.stopped_by = *stopped_by;
  return result;
}

std::optional<UsualExcess> usual_excess(const std::vector<Lane>& lanes) {
  std::vector<const SpanExcess*> baselines;
  for (const Lane& lane : lanes) {
    if (lane.racer->trusted && lane.excess.batches() > 0) baselines.push_back(&lane.excess);
  }
  return usual_excess(baselines);
}

std::optional<Judgement> false_spans(const Lane& lane, const std::optional<UsualExcess>& usual,
                                     double agreement) {
  if (lane.racer->trusted || lane.excess.batches() < least_batches) return std::nullopt;
  const double hidden = lane.excess.hidden_us(usual, agreement);
  if (hidden <= lane.excess.slack_us()) return std::nullopt;
  return cheat(
      CheatClass::timing,
      fmt::format(
          "calls claim {:.1f} us, but took {:.1f} us longer by the harness's clock (median over "
          "{} batches); it is {:.1f} us at most that a call leaves to what follows it",
          lane.excess.span_us(), hidden, lane.excess.batches(), lane.excess.slack_us()));
}

std::optional<Judgement> impossible_time(const Lane& lane, const Roofline& roofline) {
  if (lane.excess.batches() < least_batches || !lane.sampled(1)) return std::nullopt;
  const double time = center(lane.times());
  if (time >= (1 - impossible_margin) * roofline.impossible_us) return std::nullopt;
  return cheat(CheatClass::timing,
               fmt::format("calls take {:.2f} us, and this GPU cannot read and compute what the "
                           "task asks for in less than {:.2f} us ({})",
                           time, roofline.impossible_us, roofline.bound));
}

}  // namespace robust_kbench
