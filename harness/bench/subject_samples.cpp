#include "bench/subject_samples.hpp"

#include <algorithm>
#include <numeric>

#include "bench/single_calls.hpp"
#include "bench/timed_worker.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr std::size_t min_samples_to_settle = 8;
constexpr double settled_share = 0.1;    // of the variance: a twentieth of the interval
constexpr std::size_t min_batches = 10;  // needed before spans are called false
// The allowance for errors of events and clocks before a time is called impossible, as a share.
constexpr double impossible_margin = 0.1;

}  // namespace

void SubjectSamples::take_pace(Pace of_first_call) {
  pace = of_first_call;
  if (pace == Pace::usual || samples.size() <= few_workers) return;
  samples.resize(few_workers);
  understated_us.resize(few_workers);
  verified.resize(few_workers);
}

void SubjectSamples::add(std::size_t worker, const BatchClock& clock) {
  samples[worker].push_back(clock.sample_us());
  if (clock.on_gpu) discrepancy.add(worker, clock);
  if (clock.gpu) sm_mhz.push_back(clock.gpu->sm_mhz);
}

bool SubjectSamples::sampled(std::size_t least) const {
  // On a CPU there is no discrepancy, and no rule needs one.
  const bool enough_batches =
      run_subject->trusted || discrepancy.batches() == 0 || discrepancy.batches() >= min_batches;
  return enough_batches && std::all_of(samples.begin(), samples.end(),
                                       [=](const auto& worker) { return worker.size() >= least; });
}

void SubjectSamples::account(const std::optional<ExpectedDiscrepancy>& usual, double agreement) {
  if (run_subject->trusted || discrepancy.batches() == 0) return;
  if (false_spans) {
    std::ranges::fill(understated_us, 0);
    return;
  }
  for (std::size_t worker = 0; worker < samples.size(); ++worker) {
    if (samples[worker].empty()) continue;
    const double least = discrepancy.min_us(worker, usual, agreement);
    understated_us[worker] = std::max(0.0, least - median(samples[worker]));
  }
}

bool SubjectSamples::may_work_ahead() const {
  return !run_subject->trusted && !is_out() && calls > 1 && sampled(1) &&
         center(times()) >= least_alone_us;
}

void SubjectSamples::raise(double us) {
  for (double& understated : understated_us) understated += us;
}

WorkerSamples SubjectSamples::times() const {
  WorkerSamples times = samples;
  for (std::size_t worker = 0; worker < times.size(); ++worker) {
    for (double& time : times[worker]) time += understated_us[worker];
  }
  return times;
}

bool SubjectSamples::narrow(double share) const {
  const WorkerSamples times = this->times();
  const Interval interval = bootstrap_center(times, interval_seed);
  return interval.high - interval.low <= 2 * share * center(times);
}

bool SubjectSamples::settled() const {
  const bool enough = std::all_of(samples.begin(), samples.end(), [](const auto& worker) {
    return worker.size() >= min_samples_to_settle;
  });
  return enough && sampling_share(times()) <= settled_share;
}

SubjectResult SubjectSamples::result(std::optional<StopReason> stopped_by) const {
  SubjectResult result;
  result.timing.subject = run_subject->name;
  result.rejection = rejection;
  result.false_spans = false_spans;
  if (pace != Pace::usual) result.slow_call = first_call;
  if (is_out() || !stopped_by) return result;
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

void guarded(SubjectSamples& subject, const std::function<void()>& step) {
  if (subject.is_out()) return;
  try {
    step();
  } catch (const Rejection& rejection) {
    if (subject.run_subject->trusted)
      throw baseline_failure(subject.run_subject->name, rejection.what());
    subject.rejection = rejection.judgement();
  }
}

std::optional<ExpectedDiscrepancy> expected_discrepancy(
    const std::vector<SubjectSamples>& subjects) {
  std::vector<const ClockDiscrepancy*> baselines;
  for (const SubjectSamples& subject : subjects) {
    if (subject.run_subject->trusted && subject.discrepancy.batches() > 0)
      baselines.push_back(&subject.discrepancy);
  }
  return expected_discrepancy(baselines);
}

std::optional<Judgement> contradicted_spans(const SubjectSamples& subject,
                                            const std::optional<ExpectedDiscrepancy>& usual,
                                            double agreement) {
  if (subject.run_subject->trusted || subject.discrepancy.batches() < min_batches)
    return std::nullopt;
  const double hidden = subject.discrepancy.unreported_us(usual, agreement);
  if (hidden <= subject.discrepancy.margin_us()) return std::nullopt;
  return cheat(
      CheatClass::timing,
      fmt::format(
          "calls claim {:.1f} us, but took {:.1f} us longer by the harness's clock (median over "
          "{} batches); it is {:.1f} us at most that a call leaves to what follows it",
          subject.discrepancy.span_us(), hidden, subject.discrepancy.batches(),
          subject.discrepancy.margin_us()));
}

std::optional<Judgement> impossible_time(const SubjectSamples& subject, const Roofline& roofline) {
  if (subject.discrepancy.batches() < min_batches || !subject.sampled(1)) return std::nullopt;
  const double time = center(subject.times());
  if (time >= (1 - impossible_margin) * roofline.impossible_us) return std::nullopt;
  return cheat(CheatClass::timing,
               fmt::format("calls take {:.2f} us, and this GPU cannot read and compute what the "
                           "task asks for in less than {:.2f} us ({})",
                           time, roofline.impossible_us, roofline.bound));
}

}  // namespace robust_kbench
