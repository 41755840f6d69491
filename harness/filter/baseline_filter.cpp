#include "filter/baseline_filter.hpp"

#include <algorithm>
#include <cmath>

#include "check/reference_threads.hpp"
#include "filter/needed_work.hpp"
#include "filter/package_graphs.hpp"
#include "tensor/generator.hpp"
#include "tensor/probe.hpp"
#include "tensor/reference.hpp"

#include <c10/core/GradMode.h>
#include <fmt/format.h>

namespace robust_kbench {
namespace {

// A tenth of a second of two cores of a server.
constexpr double cheap_flops = 2e9;

double flops_of(const FilterSubject& subject, const Config& config) {
  return cost_of(subject.workload(config.params)).flops;
}

// The config whose graph is watched. Savings depend on sizes, so it is the largest cheap config,
// else the smallest.
const Config& looked_at(const FilterSubject& subject) {
  const Config* chosen = &subject.configs().front();
  for (const Config& config : subject.configs()) {
    const double now = flops_of(subject, *chosen);
    const double other = flops_of(subject, config);
    const bool better = now > cheap_flops ? other < now : other <= cheap_flops && other > now;
    if (better) chosen = &config;
  }
  return *chosen;
}

constexpr std::uint64_t typical_calls = 2;

// Typical calls come first. Probes then refute properties that only typical data have. They are
// left out on an expensive config.
std::vector<Tensors> calls_of(const FilterSubject& subject, const Config& config) {
  const Workload workload = subject.workload(config.params);
  std::vector<Tensors> calls;
  for (std::uint64_t seed = 1; seed <= typical_calls; ++seed) {
    calls.push_back(make_tensors(workload, seed, subject.device()));
  }
  if (flops_of(subject, config) > cheap_flops) return calls;
  for (const Probe probe : applicable_probes(subject.task(), subject.direction())) {
    if (probe == Probe::nan_and_infinity) continue;
    calls.push_back(probe_tensors(workload, probe, 1, subject.device()));
  }
  return calls;
}

WatchedGraph watched_graph(const FilterSubject& subject, const PackageGraphs& graphs,
                           const Config& config) {
  const ReferenceThreads threads(subject.workload(config.params));
  WatchedGraph watched(graphs.graph(config.params));
  const std::vector<Tensors> calls = calls_of(subject, config);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    watched.call(graphs.inputs(config.params, as_dtype(calls[i], at::kDouble)),
                 graphs.package().point(config.params).dtype(), i < typical_calls);
  }
  return watched;
}

double ratio(double done, double needed) {
  return done / std::max(needed, 1.0);
}

}  // namespace

FilterResult baseline_filter(const FilterSubject& subject) {
  FilterResult result{.filter = Filter::baseline, .direction = subject.direction()};
  const auto graphs = PackageGraphs::of(subject.task());
  if (!graphs) {
    result.status = FilterStatus::skipped;
    result.reason = "not looked at: no graph";
    return result;
  }
  const Config& config = looked_at(subject);
  const c10::AutoGradMode no_grad(false);
  WatchedGraph watched = watched_graph(subject, *graphs, config);
  for (const Config& other : subject.configs()) {
    if (other.name == config.name || flops_of(subject, other) > cheap_flops) continue;
    watched.keep_what_holds_in(watched_graph(subject, *graphs, other));
  }
  const GraphWork work = needed_work(watched.nodes(), graphs->graph(config.params).outputs());
  const double flops = ratio(work.done.flops, work.needed.flops);
  const double bytes = ratio(work.done.bytes, work.needed.bytes);
  result.threshold = subject.options().baseline;
  result.value = std::max(flops, bytes);
  result.measurements = {
      {"flops done over flops needed", config.name, flops,
       fmt::format("{:.3g} over {:.3g}", work.done.flops, work.needed.flops)},
      {"bytes moved over bytes needed", config.name, bytes,
       fmt::format("{:.3g} over {:.3g} in float64", work.done.bytes, work.needed.bytes)}};
  for (const std::string& finding : work.findings) {
    result.measurements.push_back({finding, config.name, std::nullopt});
  }
  if (*result.value < *result.threshold) return result;
  result.status = FilterStatus::caught;
  result.reason = fmt::format("{:.3g} times the {} that are needed: {}", *result.value,
                              flops >= bytes ? "flops" : "bytes", fmt::join(work.findings, "; "));
  return result;
}

}  // namespace robust_kbench
