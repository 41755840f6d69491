#include "runtime_cases.hpp"

#include <algorithm>
#include <cstdio>

#include "bench/baseline.hpp"
#include "bench/packages.hpp"
#include "bench/speedup.hpp"
#include "bench/worker_budget.hpp"
#include "check/batch.hpp"
#include "check/gpu_demand.hpp"
#include "core/error.hpp"
#include "evaluate/evaluate.hpp"
#include "evaluate/test_plan.hpp"

namespace robust_kbench {
namespace {

constexpr const char* nothing_beside = "not timed: there is no kernel to time it beside";

}  // namespace

struct RuntimeCases::Race {
  Entry entry;
  std::map<std::string, std::string> errors;  // of kernels that are not timed
  std::unique_ptr<GpuClaim> claim;            // on what they all take of a GPU
  std::unique_ptr<BenchSession> session;      // none where there is no kernel to time
};

RuntimeCases::RuntimeCases(const Manifest& manifest, const std::vector<Task>& tasks,
                           std::string device, ConfigSet configs, const BenchOptions& options)
    : m_manifest(manifest),
      m_tasks(tasks),
      m_device(std::move(device)),
      m_configs(configs),
      m_options(options) {
  std::vector<Entry> entries;
  for (const KernelSource& kernel : manifest.kernels) {
    const bool known = std::find(entries.begin(), entries.end(), kernel.entry) != entries.end();
    if (!known && kernel.device == m_device) entries.push_back(kernel.entry);
  }
  for (const Entry& entry : entries) add_cases(entry);
}

RuntimeCases::~RuntimeCases() = default;

void RuntimeCases::add_cases(const Entry& entry) {
  const Task& task = find_task(m_tasks, entry.task);
  for (const Config& config : configs_of(m_manifest, task, entry.direction, {m_configs})) {
    const auto add = [&](const std::string& subject) {
      m_cases.push_back({.name = test_name(entry, subject, config.name),
                         .entry = entry,
                         .config = config,
                         .subject = subject});
    };
    for (const KernelSource& kernel : m_manifest.kernels) {
      if (kernel.entry == entry && kernel.device == m_device) add(kernel.name);
    }
    for (const std::string& name : m_options.baselines) {
      const bool packaged = parse_baseline(name, m_device).kind == Baseline::Kind::compile;
      if (!packaged || compile_package(m_manifest, m_device, entry, config)) add(name);
    }
  }
}

const RuntimeCaseResult& RuntimeCases::result(const RuntimeCase& runtime_case) {
  if (!m_results.contains(runtime_case.name)) {
    try {
      measure(runtime_case);
    } catch (const HarnessError& error) {
      fail(runtime_case, error.what());
    }
  }
  return m_results[runtime_case.name];
}

// Costs the config, and not what was measured before or will be.
void RuntimeCases::fail(const RuntimeCase& failed, const std::string& why) {
  m_harness_failed = true;
  m_race.reset();
  for (const RuntimeCase& beside : m_cases) {
    if (beside.entry == failed.entry && beside.config.name == failed.config.name) {
      m_results[beside.name] = {
          .timing = {}, .speedups = {}, .error = "the harness failed: " + why};
    }
  }
}

std::unique_ptr<BenchSession> RuntimeCases::start_session(
    const Entry& entry, const std::vector<BuiltKernel>& kernels) const {
  if (kernels.empty()) return nullptr;
  const Task& task = find_task(m_tasks, entry.task);
  return std::make_unique<BenchSession>(m_manifest, task, entry, m_device,
                                        configs_of(m_manifest, task, entry.direction, {m_configs}),
                                        kernels, m_options);
}

// They are tested while their workers live. No kernel to time, or none on a GPU: none.
std::unique_ptr<GpuClaim> RuntimeCases::claim_memory(const Entry& entry,
                                                     std::size_t kernels) const {
  if (m_device != "cuda" || kernels == 0) return nullptr;
  const Task& task = find_task(m_tasks, entry.task);
  const std::vector<Config> configs = configs_of(m_manifest, task, entry.direction, {m_configs});
  const std::size_t bytes =
      timing_gpu_bytes(task, entry.direction, configs, kernels, m_options) +
      examination_gpu_bytes(largest_arena(task, entry.direction, configs, 1, /*gpu=*/true));
  return GpuClaim::wait(bytes, bytes, [](const std::string& text) {
    std::fprintf(stderr, "rkb_bench: %s\n", text.c_str());
  });
}

KernelRecord RuntimeCases::test(const KernelSource& kernel) const {
  EvaluateOptions options;
  options.config_sets = {m_configs};
  options.bench = false;
  options.claim = m_race->claim.get();
  return evaluate_built(m_manifest, find_task(m_tasks, kernel.entry.task), kernel, options);
}

// Tests the entry's kernels while their workers start. Who fails is withdrawn.
void RuntimeCases::start_race(const Entry& entry) {
  m_race = std::make_unique<Race>();
  m_race->entry = entry;
  std::vector<const KernelSource*> kernels;
  std::vector<BuiltKernel> built;
  for (const KernelSource& kernel : m_manifest.kernels) {
    if (!(kernel.entry == entry) || kernel.device != m_device) continue;
    kernels.push_back(&kernel);
    if (!skip_reason(kernel, m_manifest.toolchain).empty()) continue;
    const BuildRecord build = load_build_record(kernel);
    if (build.verdict == Verdict::pass) built.push_back({kernel.name, build.library});
  }
  m_race->claim = claim_memory(entry, built.size());
  std::unique_ptr<BenchSession>& session = m_race->session;
  session = start_session(entry, built);
  std::vector<BuiltKernel> passed;
  for (const KernelSource* kernel : kernels) {
    KernelRecord record = test(*kernel);
    if (record.verdict == Verdict::out_of_memory) {
      session.reset();  // its workers may have had it
      record = test(*kernel);
    }
    if (record.verdict == Verdict::pass) {
      passed.push_back({kernel->name, record.build.library});
      continue;
    }
    if (session) session->withdraw(kernel->name);
    m_race->errors[kernel->name] =
        "not timed: " + std::string(to_string(record.verdict)) + ": " + record.reason;
  }
  if (passed.empty() || !session) session = start_session(entry, passed);
}

void RuntimeCases::measure(const RuntimeCase& runtime_case) {
  if (!m_race || !(m_race->entry == runtime_case.entry)) {
    m_race.reset();  // its workers end before the next ones start
    start_race(runtime_case.entry);
  }
  const std::string& config = runtime_case.config.name;
  const auto result_of = [&](const std::string& subject) -> RuntimeCaseResult& {
    return m_results[test_name(runtime_case.entry, subject, config)];
  };
  for (const auto& [kernel, error] : m_race->errors) result_of(kernel).error = error;
  if (!m_race->session) {
    for (const std::string& baseline : m_options.baselines) {
      result_of(baseline).error = nothing_beside;
    }
    return;
  }
  const ConfigTimings timings = m_race->session->measure(runtime_case.config);
  for (const RaceResult& baseline : timings.baselines) {
    RuntimeCaseResult& result = result_of(baseline.timing.subject);
    result.timing = baseline.timing;
    if (result.timing.samples == 0) result.error = nothing_beside;
  }
  for (const RaceResult& kernel : timings.kernels) {
    RuntimeCaseResult& result = result_of(kernel.timing.subject);
    if (kernel.rejection) {
      result.error = "while timing: " + std::string(to_string(kernel.rejection->verdict)) + ": " +
                     kernel.rejection->message;
      continue;
    }
    result.timing = kernel.timing;
    for (const RaceResult& baseline : timings.baselines) {
      result.speedups.push_back(
          speedup(config, kernel.timing, baseline.timing, m_options.same_within));
    }
  }
}

}  // namespace robust_kbench
