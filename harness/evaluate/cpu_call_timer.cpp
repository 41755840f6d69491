#include "evaluate/cpu_call_timer.hpp"

#include <algorithm>
#include <utility>

#include "bench/bench.hpp"
#include "device/cpu_peaks.hpp"
#include "evaluate/scope.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {
namespace {

// A profile needs the order of a time, not a narrow interval.
BenchOptions profile_bench_options() {
  BenchOptions options = usual_bench_options(Device::cpu);
  options.workers = 2;
  return options;
}

}  // namespace

CpuCallTimer::CpuCallTimer(const Manifest& manifest, const Task& task, const KernelSource& kernel,
                           const std::string& library, const std::vector<Config>& configs,
                           const std::stop_token& stop)
    : m_task(task),
      m_entry(kernel.entry),
      m_options(profile_bench_options()),
      m_smallest(smallest(manifest)) {
  std::vector<Config> timed = configs;
  if (m_smallest) timed.push_back(*m_smallest);
  // Measured before workers run that would disturb it.
  cpu_peaks();
  m_timer = std::make_unique<KernelTimer>(manifest, task, m_entry, Device::cpu, timed,
                                          std::vector<BuiltKernel>{}, m_options);
  m_turn.emplace(
      *m_timer,
      std::vector<BuiltKernel>{
          {.name = kernel.name, .library = library, .entry_point = entry_point_of(kernel)}},
      stop);
}

std::optional<Config> CpuCallTimer::smallest(const Manifest& manifest) const {
  const auto bytes = [&](const Config& config) {
    return cost_of({m_task, m_entry.direction, config.params}).bytes;
  };
  const std::vector<Config> configs =
      any_configs_of(manifest, m_task, m_entry.direction, {ConfigSet::small});
  const auto least =
      std::min_element(configs.begin(), configs.end(),
                       [&](const Config& a, const Config& b) { return bytes(a) < bytes(b); });
  if (least == configs.end() || bytes(*least) <= 0) return std::nullopt;
  return *least;
}

CpuCallTimer::Timed CpuCallTimer::time(const Config& config) {
  const BenchResult result = bench(*m_timer, {config}, m_options, {.baselines = false});
  if (!result.judgement.passes()) return InspectionEnd{config.name, result.judgement};
  const Cost cost = cost_of({m_task, m_entry.direction, config.params});
  return CpuCall{.time_us = result.timings.front().subjects.front().median_us,
                 .flops = cost.flops,
                 .bytes = cost.bytes};
}

std::variant<std::vector<ToolFinding>, InspectionEnd> CpuCallTimer::findings(const Config& config) {
  const Timed timed = time(config);
  if (const auto* end = std::get_if<InspectionEnd>(&timed)) return *end;
  std::optional<CpuCall> smallest;
  if (m_smallest && m_smallest->name != config.name) {
    if (!m_smallest_call) m_smallest_call = time(*m_smallest);
    if (const auto* call = std::get_if<CpuCall>(&*m_smallest_call)) smallest = *call;
  }
  return cpu_roofline_findings(std::get<CpuCall>(timed), cpu_peaks(), smallest);
}

}  // namespace robust_kbench
