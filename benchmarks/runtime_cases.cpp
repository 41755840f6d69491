#include "runtime_cases.hpp"

#include <algorithm>
#include <cstdio>

#include "bench/baseline.hpp"
#include "bench/packages.hpp"
#include "core/error.hpp"
#include "core/speedup.hpp"
#include "evaluate/scope.hpp"
#include "evaluate/test_plan.hpp"

namespace robust_kbench {
namespace {

const Judgement nothing_beside{.verdict = Verdict::skipped,
                               .reason = "not timed: there is no kernel to time it beside"};

}  // namespace

struct RuntimeCases::Race {
  Race(const Manifest& manifest, const Task& task, const Entry& of_entry, Device device,
       const EvaluatorOptions& options)
      : entry(of_entry), evaluator(manifest, task, of_entry.direction, device, options) {}

  const Entry entry;
  Evaluator evaluator;
  std::vector<const KernelSource*> kernels;   // still timed
  std::map<std::string, Judgement> rejected;  // no longer timed
};

RuntimeCases::RuntimeCases(const Manifest& manifest, const TaskRegistry& tasks, Device device,
                           ConfigSet configs, const BenchOptions& options)
    : m_manifest(manifest),
      m_tasks(tasks),
      m_device(device),
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
  const Task& task = m_tasks.find(entry.task);
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
      if (!packaged || compile_package(m_manifest, task, entry.direction, m_device, config)) {
        add(name);
      }
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

RuntimeCaseResult& RuntimeCases::result_of(const Entry& entry, const std::string& subject,
                                           const std::string& config) {
  return m_results[test_name(entry, subject, config)];
}

// Fails only this config, and keeps the results of others.
void RuntimeCases::fail(const RuntimeCase& failed, const std::string& why) {
  m_harness_failed = true;
  m_race.reset();
  for (const RuntimeCase& beside : m_cases) {
    if (beside.entry == failed.entry && beside.config.name == failed.config.name) {
      m_results[beside.name] = {
          .judgement = {.verdict = Verdict::harness_error, .reason = "the harness failed: " + why}};
    }
  }
}

void RuntimeCases::start_race(const Entry& entry) {
  EvaluatorOptions options = usual_evaluator_options(m_device);
  options.bench = m_options;
  m_race = std::make_unique<Race>(m_manifest, m_tasks.find(entry.task), entry, m_device, options);
  for (const KernelSource& kernel : m_manifest.kernels) {
    if (!(kernel.entry == entry) || kernel.device != m_device) continue;
    const KernelRecord record = m_race->evaluator.submit(
        kernel, {.scope = {.sets = {m_configs}}, .stages = {Stage::compile, Stage::test}});
    if (record.judgement.passes()) {
      m_race->kernels.push_back(&kernel);
    } else {
      m_race->rejected[kernel.name] = record.judgement;
    }
  }
}

void RuntimeCases::measure(const RuntimeCase& runtime_case) {
  const Entry& entry = runtime_case.entry;
  const std::string& config = runtime_case.config.name;
  if (!m_race || !(m_race->entry == entry)) {
    m_race.reset();  // its workers end before the next ones start
    start_race(entry);
  }
  // The others race again without the rejected kernels.
  ConfigTimingRecord timings;
  while (timings.subjects.empty() && !m_race->kernels.empty()) timings = race(config);
  for (const auto& [kernel, judgement] : m_race->rejected) {
    result_of(entry, kernel, config).judgement = judgement;
  }
  for (const TimingRecord& timing : timings.subjects) {
    result_of(entry, timing.subject, config).timing = timing;
  }
  for (const KernelSource* kernel : m_race->kernels) {
    result_of(entry, kernel->name, config).roofline = timings.roofline;
  }
  for (const std::string& baseline : m_options.baselines) {
    RuntimeCaseResult& beside = result_of(entry, baseline, config);
    if (timings.subjects.empty()) beside.judgement = nothing_beside;
    if (beside.timing.samples == 0) continue;
    for (const KernelSource* kernel : m_race->kernels) {
      RuntimeCaseResult& own = result_of(entry, kernel->name, config);
      own.speedups.push_back(speedup(own.timing, beside.timing, m_options.same_within));
    }
  }
}

// Times the first kernel with the others as rivals. The result has no subjects where one was
// rejected, which is then removed.
ConfigTimingRecord RuntimeCases::race(const std::string& config) {
  std::vector<const KernelSource*>& kernels = m_race->kernels;
  std::map<std::string, const KernelSource*> subjects{{"kernel", kernels.front()}};
  Request request{.scope = {.sets = {m_configs}, .only_config = config},
                  .stages = {Stage::compile, Stage::time}};
  for (std::size_t i = 1; i < kernels.size(); ++i) {
    const std::string name = "rival " + std::to_string(i);
    subjects[name] = kernels[i];
    request.rivals[name] = *kernels[i];
  }
  const auto reject = [&](const std::string& subject, const Judgement& why) {
    m_race->rejected[subjects.at(subject)->name] = why;
  };
  request.on_rival_rejected = [&](const std::string& rival, Judgement why) {
    why.reason = "while timing: " + why.reason;
    reject(rival, why);
  };
  KernelRecord record = m_race->evaluator.submit(*kernels.front(), request);
  if (record.judgement.verdict == Verdict::harness_error) {
    throw HarnessError(record.judgement.reason);
  }
  if (!record.judgement.passes()) reject("kernel", record.judgement);
  const auto rejected = std::erase_if(
      kernels, [&](const KernelSource* kernel) { return m_race->rejected.contains(kernel->name); });
  if (rejected > 0) return {};
  ConfigTimingRecord& timings = record.timings.front();
  for (TimingRecord& timing : timings.subjects) {
    const auto subject = subjects.find(timing.subject);
    if (subject != subjects.end()) timing.subject = subject->second->name;
  }
  return std::move(timings);
}

}  // namespace robust_kbench
