#include "bench/session.hpp"

#include <algorithm>
#include <filesystem>
#include <future>
#include <thread>

#include "bench/baseline.hpp"
#include "bench/contents.hpp"
#include "bench/noop_cost.hpp"
#include "bench/packages.hpp"
#include "bench/referee.hpp"
#include "check/batch.hpp"
#include "core/error.hpp"
#include "core/seed.hpp"
#include "device/cpu.hpp"
#include "device/gpu_facts.hpp"
#include "device/gpu_lock.hpp"
#include "device/gpu_patience.hpp"
#include "tensor/reference.hpp"
#include "tensor/torch_cuda.hpp"

namespace robust_kbench {
namespace {

// With the workers of more kernels starting together none is ready in time.
constexpr std::size_t kernels_starting_together = 4;
// torch.compile adds up in an order of its own; tolerances are such that eager holds them.
constexpr double compiled_slack = 10;

// The first `threads` CPUs that this process may use: the same for every subject.
std::vector<int> pinned_cpus(int threads) {
  std::vector<int> cpus = usable_cpus();
  cpus.resize(std::min(cpus.size(), static_cast<std::size_t>(threads)));
  return cpus;
}

std::vector<std::string> baseline_command(const Manifest& manifest, const BenchOptions& options) {
  if (!options.baseline_command.empty()) return options.baseline_command;
  const std::filesystem::path worker = manifest.toolchain.worker;
  return {(worker.parent_path() / "rkb").string(), "baseline-worker"};
}

}  // namespace

// A kernel or baseline.
struct BenchSession::Subject {
  ~Subject() { end(); }

  void kill() const {
    for (const auto& worker : workers) worker->kill();
  }
  // All workers go at once.
  void end() {
    kill();
    workers.clear();
  }

  std::string name;
  const Task* task = nullptr;
  WorkerOptions options;
  // Empty where there is nothing to load for a config.
  std::function<std::optional<Load>(const Config&)> load;
  Workers workers;
  Load loaded;  // of the config that is measured
  std::optional<Finding> rejection;
  bool trusted = false;
  double slack = 1;  // of the tolerances, see Racer
};

BenchSession::BenchSession(const Manifest& manifest, const Task& task, Entry entry,
                           const std::string& device, const std::vector<Config>& configs,
                           std::vector<BuiltKernel> kernels, const BenchOptions& options)
    : m_manifest(manifest),
      m_task(task),
      m_baseline_task(with_baseline_arguments(task, entry.direction)),
      m_entry(std::move(entry)),
      m_gpu(device == "cuda"),
      m_options(options) {
  m_worker.program = manifest.toolchain.worker;
  m_worker.gpu = m_gpu;
  m_worker.threads =
      options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
  m_worker.cpus = m_gpu ? share_cpus().timing : pinned_cpus(m_worker.threads);
  std::size_t one_call = 0;
  for (const Config& config : configs) {
    one_call = std::max(one_call, arena_bytes(task, m_entry.direction, config.params, 1, m_gpu));
  }
  m_budget = worker_budget(options, std::max<std::size_t>(1, kernels.size()), one_call,
                           m_gpu ? std::optional(gpu_facts().memory_bytes) : std::nullopt);
  // Each starts while the others do.
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (i >= kernels_starting_together) greet(*m_subjects[i - kernels_starting_together]);
    add_kernel(kernels[i]);
  }
  for (const std::string& name : options.baselines) add_baseline(name, device);
}

BenchSession::~BenchSession() {
  for (const auto& subject : m_subjects) subject->kill();
}

void BenchSession::add_kernel(const BuiltKernel& kernel) {
  auto subject = std::make_unique<Subject>();
  subject->name = kernel.name;
  subject->task = &m_task;
  subject->options = m_worker;
  subject->options.arena_bytes = m_budget.kernel_arena_bytes;
  const Load load{.library = kernel.library, .entry = std::string(to_string(m_entry.direction))};
  subject->load = [load](const Config&) { return load; };
  subject->workers = start_workers(subject->options);
  // Before the baselines.
  m_subjects.insert(std::find_if(m_subjects.begin(), m_subjects.end(),
                                 [](const auto& known) { return known->trusted; }),
                    std::move(subject));
}

void BenchSession::add_baseline(const std::string& name, const std::string& device) {
  const Baseline baseline = parse_baseline(name, device);
  auto subject = std::make_unique<Subject>();
  subject->name = name;
  subject->trusted = true;
  if (baseline.kind == Baseline::Kind::compile) subject->slack = compiled_slack;
  if (baseline.tf32) subject->slack = 0;
  subject->task = &m_baseline_task;
  subject->options = m_worker;
  subject->options.arena_bytes = m_budget.baseline_arena_bytes;
  const std::vector<std::string> command = baseline_command(m_manifest, m_options);
  subject->options.program = command.front();
  subject->options.arguments.assign(command.begin() + 1, command.end());
  if (baseline.kind == Baseline::Kind::compile) {
    subject->load = [=, this](const Config& config) -> std::optional<Load> {
      const auto package = compile_package(m_manifest, device, m_entry, config);
      if (!package) return std::nullopt;
      return load_package(baseline, *package);
    };
  } else {
    subject->load = [=, this](const Config& config) {
      return std::optional(load_eager(baseline, m_task, m_entry.direction, config.params));
    };
  }
  const bool first = m_subjects.empty() || !m_subjects.back()->trusted;
  subject->workers = first ? start_workers(subject->options) : m_subjects.back()->workers;
  m_subjects.push_back(std::move(subject));
}

BenchSession::Workers BenchSession::start_workers(const WorkerOptions& options) const {
  Workers workers;
  for (int i = 0; i < m_budget.workers; ++i) {
    // Others that end, or are tested, may still have the memory.
    workers.push_back(with_gpu_patience([&] { return std::make_shared<TimedWorker>(options); }));
  }
  return workers;
}

void BenchSession::greet(Subject& subject) {
  for (const auto& worker : subject.workers) worker->greet();
}

BenchSession::Turn::Turn(BenchSession& session, const BuiltKernel& kernel)
    : m_session(session), m_lock(session.m_turn) {
  // Starting is no part of timing: others may test, but not time.
  std::optional<GpuLock> share;
  if (session.m_gpu) share.emplace(GpuLock::Use::test);
  session.add_kernel(kernel);
  try {
    greet(*session.m_subjects.front());
  } catch (...) {
    session.m_subjects.erase(session.m_subjects.begin());
    throw;
  }
}

BenchSession::Turn::~Turn() {
  m_session.m_subjects.erase(m_session.m_subjects.begin());
}

void BenchSession::withdraw(const std::string& kernel) {
  std::erase_if(m_subjects,
                [&](const auto& subject) { return !subject->trusted && subject->name == kernel; });
}

// Makes every worker of a subject ready for a config. False where there is nothing to load.
bool BenchSession::load(Subject& subject, const Config& config) {
  const std::optional<Load> load = subject.load(config);
  if (!load) return false;
  subject.loaded = *load;
  // Most of it is waiting for a GPU's driver.
  const auto policy = m_gpu ? std::launch::async : std::launch::deferred;
  std::vector<std::future<void>> loads;
  for (const auto& worker : subject.workers) {
    loads.push_back(std::async(policy, [&] { worker->load(*load); }));
  }
  for (std::future<void>& loaded : loads) loaded.get();
  return true;
}

void BenchSession::measure_noop(const Config& config) {
  const auto trusted = std::find_if(m_subjects.begin(), m_subjects.end(),
                                    [](const auto& subject) { return subject->trusted; });
  m_noop = robust_kbench::measure_noop(*(*trusted)->workers.front(), m_options.noop_calls, m_gpu);
  const Contract& own = contract(m_task, m_entry.direction);
  if (!m_gpu || !own.cost) return;
  m_noop.dirty_share =
      std::min(1.0, own.cost(config.params).bytes / static_cast<double>(gpu_facts().l2_bytes));
}

ConfigTimings BenchSession::measure(const Config& config) {
  std::vector<Racer> racers;
  std::vector<Subject*> racing;
  std::optional<GpuLock> alone;
  if (m_gpu) {
    give_back_gpu_memory();
    alone.emplace(GpuLock::Use::time);
  }
  // Who still starts would disturb whoever is measured.
  for (const auto& subject : m_subjects) greet(*subject);
  try {
    measure_noop(config);
    for (const auto& subject : m_subjects) {
      if (subject->rejection || !enter(*subject, config)) continue;
      racers.push_back({.name = subject->name,
                        .trusted = subject->trusted,
                        .slack = subject->slack,
                        .task = subject->task,
                        .load = subject->loaded,
                        .workers = {}});
      for (const auto& worker : subject->workers) racers.back().workers.push_back(worker.get());
      racing.push_back(subject.get());
    }
  } catch (const Rejection& rejection) {
    throw HarnessError("baseline worker: " + std::string(rejection.what()));
  }
  const std::vector<RaceResult> results = race(racers, {.direction = m_entry.direction,
                                                        .params = config.params,
                                                        .options = m_options,
                                                        .noop = m_noop,
                                                        .device = device_for(m_gpu)});
  ConfigTimings timings;
  for (const auto& subject : m_subjects) {
    const auto racer = std::find(racing.begin(), racing.end(), subject.get());
    if (racer != racing.end()) {
      RaceResult result = results[static_cast<std::size_t>(racer - racing.begin())];
      result.timing.config = config.name;
      if (result.rejection) reject(*subject, *result.rejection);
      (subject->trusted ? timings.baselines : timings.kernels).push_back(std::move(result));
    } else if (subject->rejection) {
      timings.kernels.push_back({.timing = {.config = config.name, .subject = subject->name},
                                 .rejection = subject->rejection});
    }
  }
  return timings;
}

std::vector<EstimateRecord> BenchSession::estimate(const Config& config,
                                                   const std::string& estimator) {
  const GpuLock alone(GpuLock::Use::time);
  Contents contents(m_task, m_entry.direction, config.params, secret_key(), device_for(m_gpu));
  Referee referee(m_task, m_entry.direction, config.params);
  std::vector<EstimateRecord> records;
  for (const auto& subject : m_subjects) {
    const std::optional<Load> load = subject->load(config);
    if (subject->rejection || !load) continue;
    const std::vector<Tensors> call = contents.batch(1);
    EstimateRecord record{
        .config = config.name, .subject = subject->name, .estimator = estimator, .note = {}};
    try {
      TimedWorker worker(subject->options);
      const EstimateAnswer answer = worker.estimate({.load = *load,
                                                     .task = *subject->task,
                                                     .direction = m_entry.direction,
                                                     .params = config.params,
                                                     .calls = call,
                                                     .keep = 0},
                                                    estimator);
      record.time_us = answer.estimate.time_us;
      record.calls = answer.estimate.calls;
      record.note = answer.estimate.note;
      if (!subject->trusted) {
        const auto wrong = referee.judge(answer.outputs, referee.expected(call.front()));
        if (wrong) record.note = "its last result was wrong: " + wrong->message;
      }
    } catch (const Rejection& rejection) {
      record.note = rejection.what();
    }
    records.push_back(std::move(record));
  }
  return records;
}

// False where a subject does not race on this config: a kernel that cannot be loaded, a baseline
// that does not exist for it.
bool BenchSession::enter(Subject& subject, const Config& config) {
  try {
    return load(subject, config);
  } catch (const Rejection& rejection) {
    if (subject.trusted) throw;
    reject(subject, rejection.finding());
    return false;
  }
}

void BenchSession::reject(Subject& subject, const Finding& finding) {
  subject.rejection = finding;
  subject.end();
}

}  // namespace robust_kbench
