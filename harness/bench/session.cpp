#include "bench/session.hpp"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "bench/baseline.hpp"
#include "bench/packages.hpp"
#include "check/batch.hpp"
#include "core/error.hpp"
#include "device/cpu.hpp"
#include "device/gpu_lock.hpp"

namespace robust_kbench {
namespace {

// Of content and of what the calls of a batch allocate. The arena is sparse: what is not used costs
// nothing.
constexpr std::size_t arena_per_batch_byte = 8;
// Memory of a GPU is not sparse. A batch of one call may be longer than `batch_bytes`, then the
// arena of a case serves.
constexpr std::size_t gpu_arena_per_batch_byte = 4;
// Torch has memory of its own there: the arena holds inputs, and the results of one call.
constexpr std::size_t gpu_baseline_share = 2;

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
  std::string name;
  const Task* task = nullptr;
  WorkerOptions options;
  // Empty where there is nothing to load for a config.
  std::function<std::optional<Load>(const Config&)> load;
  std::vector<std::unique_ptr<TimedWorker>> workers;
  std::optional<Finding> rejection;
  bool trusted = false;
};

BenchSession::BenchSession(const Manifest& manifest, const Task& task, Entry entry,
                           const std::string& device, const std::vector<Config>& configs,
                           std::vector<BuiltKernel> kernels, const BenchOptions& options)
    : m_task(task),
      m_baseline_task(with_baseline_arguments(task, entry.direction)),
      m_entry(std::move(entry)),
      m_gpu(device == "cuda"),
      m_options(options) {
  WorkerOptions worker;
  worker.gpu = m_gpu;
  worker.threads =
      options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
  worker.cpus = pinned_cpus(worker.threads);
  const Direction direction = m_entry.direction;
  for (const BuiltKernel& kernel : kernels) {
    auto subject = std::make_unique<Subject>();
    subject->name = kernel.name;
    subject->task = &m_task;
    subject->options = worker;
    subject->options.program = manifest.toolchain.worker;
    const Load load{.library = kernel.library, .entry = std::string(to_string(direction))};
    subject->load = [load](const Config&) { return load; };
    m_subjects.push_back(std::move(subject));
  }
  std::vector<std::string> command = baseline_command(manifest, options);
  worker.program = command.front();
  worker.arguments.assign(command.begin() + 1, command.end());
  const auto add_baseline = [&](const std::string& name, auto load) {
    auto subject = std::make_unique<Subject>();
    subject->name = name;
    subject->trusted = true;
    subject->task = &m_baseline_task;
    subject->options = worker;
    subject->load = std::move(load);
    m_subjects.push_back(std::move(subject));
  };
  for (const std::string& name : options.baselines) {
    const Baseline baseline = parse_baseline(name, device);
    if (baseline.kind == Baseline::Kind::compile) {
      add_baseline(name, [=, &manifest, this](const Config& config) -> std::optional<Load> {
        const auto package = compile_package(manifest, device, m_entry, config);
        if (!package) return std::nullopt;
        return load_package(baseline, *package);
      });
    } else {
      add_baseline(name, [=, &task](const Config& config) {
        return std::optional(load_eager(baseline, task, direction, config.params));
      });
    }
  }
  start_workers(configs);
}

BenchSession::~BenchSession() = default;

// All at once: each then starts while the others do.
void BenchSession::start_workers(const std::vector<Config>& configs) {
  std::size_t bytes = 0;
  for (const Config& config : configs) {
    bytes = std::max(bytes, arena_bytes(m_task, m_entry.direction, config.params, 1, m_gpu));
  }
  bytes = m_gpu ? std::max(bytes, gpu_arena_per_batch_byte * m_options.batch_bytes)
                : bytes + arena_per_batch_byte * m_options.batch_bytes;
  for (const auto& subject : m_subjects) {
    subject->options.arena_bytes = m_gpu && subject->trusted ? bytes / gpu_baseline_share : bytes;
    for (int i = 0; i < m_options.workers; ++i) {
      subject->workers.push_back(std::make_unique<TimedWorker>(subject->options));
    }
  }
}

// Makes every worker of a subject ready for a config. False where there is nothing to load.
bool BenchSession::load(Subject& subject, const Config& config) {
  const std::optional<Load> load = subject.load(config);
  if (!load) return false;
  for (const auto& worker : subject.workers) worker->load(*load);
  return true;
}

void BenchSession::measure_noop() {
  const auto trusted = std::find_if(m_subjects.begin(), m_subjects.end(),
                                    [](const auto& subject) { return subject->trusted; });
  TimedWorker& worker = *(*trusted)->workers.front();
  worker.load(load_noop());
  const std::uint64_t one = worker.run_noop(1);
  m_noop = NoopCost::of(one, worker.run_noop(m_options.noop_calls), m_options.noop_calls);
}

ConfigTimings BenchSession::measure(const Config& config) {
  std::vector<Racer> racers;
  std::vector<Subject*> racing;
  std::optional<GpuLock> alone;
  if (m_gpu) alone.emplace(GpuLock::Use::time);
  try {
    measure_noop();
    for (const auto& subject : m_subjects) {
      if (subject->rejection || !enter(*subject, config)) continue;
      racers.push_back({.name = subject->name,
                        .trusted = subject->trusted,
                        .task = subject->task,
                        .workers = {}});
      for (const auto& worker : subject->workers) racers.back().workers.push_back(worker.get());
      racing.push_back(subject.get());
    }
  } catch (const Rejection& rejection) {
    throw HarnessError("baseline worker: " + std::string(rejection.what()));
  }
  const std::vector<RaceResult> results =
      race(racers, {.direction = m_entry.direction,
                    .params = config.params,
                    .options = m_options,
                    .noop = m_noop,
                    .device = m_gpu ? c10::Device(c10::kCUDA, 0) : c10::Device(c10::kCPU)});
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
  subject.workers.clear();
}

SpeedupRecord speedup(const std::string& config, const TimingRecord& kernel,
                      const TimingRecord& baseline, const BenchOptions& options) {
  const Interval interval = bootstrap_ratio(baseline.samples_us, kernel.samples_us, interval_seed);
  return {.config = config,
          .against = baseline.subject,
          .ratio = baseline.median_us / kernel.median_us,
          .ci_low = interval.low,
          .ci_high = interval.high,
          .call = std::string(call_ratio(interval, options.same_within))};
}

}  // namespace robust_kbench
