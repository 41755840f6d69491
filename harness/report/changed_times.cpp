#include "report/changed_times.hpp"

#include <algorithm>

#include "core/judged_ratio.hpp"
#include "core/paired_samples.hpp"
#include "core/speedup.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr const char* base_name = "base";

// The samples whose ratio is wanted, one element a case.
struct Ratio {
  std::vector<WorkerSamples> over;
  std::vector<WorkerSamples> under;

  void add(const WorkerSamples& of_over, const WorkerSamples& of_under) {
    over.push_back(of_over);
    under.push_back(of_under);
  }

  [[nodiscard]] SpeedupRecord judged(const std::string& against, double same_within,
                                     const std::string& disturbance) const {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < over.size(); ++i) {
      ratios.push_back(center(over[i]) / center(under[i]));
    }
    return judged_ratio(against, geometric_mean(ratios),
                        bootstrap_geometric_mean(over, under, interval_seed), same_within,
                        disturbance);
  }
};

Ratio ratio_of_kernels(const std::vector<CaseSamples>& cases) {
  Ratio ratio;
  for (const CaseSamples& c : cases) {
    switch (c.basis) {
      case Basis::race: {
        const WorkerSamples pairs = paired_ratios(c.base_us, c.contender_us);
        ratio.add(pairs, unit_samples(pairs));
        break;
      }
      case Basis::times:
        ratio.add(c.base_us, c.contender_us);
        break;
      case Basis::speedups:
        ratio.add(c.contender_speedups, c.base_speedups);
        break;
    }
  }
  return ratio;
}

bool is_certain(const SpeedupRecord& change) {
  return change.call == RatioCall::faster || change.call == RatioCall::slower;
}

// Why times of two runs on one machine say nothing, since the machine was not as before. Empty
// where they do.
std::string drift(const std::vector<CaseSamples>& cases, RatioCall call, double same_within) {
  const bool known = std::ranges::all_of(
      cases, [](const CaseSamples& c) { return c.basis == Basis::times && !c.baseline.empty(); });
  if (!known) return "";
  Ratio of_baseline;
  Ratio of_speedups;
  for (const CaseSamples& c : cases) {
    of_baseline.add(c.base_baseline_us, c.contender_baseline_us);
    of_speedups.add(c.contender_speedups, c.base_speedups);
  }
  const std::string& baseline = cases.front().baseline;
  const SpeedupRecord moved = of_baseline.judged(base_name, same_within, "");
  if (!is_certain(moved)) return "";
  if (of_speedups.judged(base_name, same_within, "").call == call) return "";
  return fmt::format("{} itself changed by {}", baseline, ratio_text(moved.ratio));
}

}  // namespace

std::string_view to_string(Basis basis) {
  switch (basis) {
    case Basis::race:
      return "race";
    case Basis::times:
      return "times";
    case Basis::speedups:
      break;
  }
  return "speedups";
}

CaseSamples samples_of(const MeasuredConfig& base, const MeasuredConfig& contender, Basis basis) {
  CaseSamples samples{
      .basis = basis,
      .base_us = base.samples_us,
      .contender_us = contender.samples_us,
      .disturbance = contender.disturbance.empty() ? base.disturbance : contender.disturbance,
      .doubt = contender.doubt.empty() ? base.doubt : contender.doubt};
  for (const auto& [name, of_base] : base.baselines_us) {
    const auto of_contender = contender.baselines_us.find(name);
    if (of_contender == contender.baselines_us.end()) continue;
    if (!samples.baseline.empty() && name != "eager") continue;
    samples.baseline = name;
    samples.base_baseline_us = of_base;
    samples.contender_baseline_us = of_contender->second;
  }
  if (samples.baseline.empty()) return samples;
  samples.base_speedups = paired_ratios(samples.base_baseline_us, base.samples_us);
  samples.contender_speedups = paired_ratios(samples.contender_baseline_us, contender.samples_us);
  return samples;
}

SpeedupRecord change_of(const std::vector<CaseSamples>& cases, double same_within) {
  std::string disturbance;
  std::string doubt;
  for (const CaseSamples& c : cases) {
    if (disturbance.empty()) disturbance = c.disturbance;
    if (doubt.empty()) doubt = c.doubt;
  }
  SpeedupRecord change = ratio_of_kernels(cases).judged(base_name, same_within, disturbance);
  if (doubt.empty() && is_certain(change)) doubt = drift(cases, change.call, same_within);
  if (!doubt.empty()) {
    change.doubt = doubt;
    change.call = RatioCall::ambiguous;
  }
  return change;
}

}  // namespace robust_kbench
