#include "bench/timed_subject.hpp"

#include <algorithm>
#include <future>

#include "bench/baseline.hpp"
#include "bench/baseline_workers.hpp"
#include "bench/packages.hpp"
#include "check/batch.hpp"
#include "device/cpu.hpp"
#include "device/gpu_facts.hpp"
#include "device/gpu_lock.hpp"
#include "device/gpu_memory_wait.hpp"
#include "process/sandbox_facts.hpp"

namespace robust_kbench {
namespace {

// torch.compile adds in an order of its own, and tolerances are chosen for eager's order.
constexpr double compiled_tolerance_scale = 10;

// The first `threads` CPUs that this process may use. They are the same for every subject.
std::vector<int> pinned_cpus(int threads) {
  std::vector<int> cpus = usable_cpus();
  cpus.resize(std::min(cpus.size(), static_cast<std::size_t>(threads)));
  return cpus;
}

}  // namespace

void TimedSubject::kill() const {
  for (const auto& worker : workers) worker->kill();
}

void TimedSubject::end() {
  kill();
  workers.clear();
}

void TimedSubject::greet() const {
  try {
    for (const auto& worker : workers) worker->greet();
  } catch (const HarnessError& error) {
    if (trusted) throw baseline_failure(name, error.what());
    throw;
  }
}

bool TimedSubject::load(const Config& config) {
  const std::optional<Load> load = load_of(config);
  if (!load) return false;
  loaded = *load;
  // A load mostly waits for a GPU's driver, so workers load at the same time.
  const auto policy = options.gpu ? std::launch::async : std::launch::deferred;
  std::vector<std::future<void>> loads;
  for (const auto& worker : workers) {
    loads.push_back(std::async(policy, [&] { worker->load(*load); }));
  }
  for (std::future<void>& done : loads) done.get();
  return true;
}

SubjectStarter::SubjectStarter(const Manifest& manifest, const Task& task, const Entry& entry,
                               Device device, const std::vector<Config>& configs,
                               std::size_t kernels, const BenchOptions& options)
    : m_manifest(manifest),
      m_task(task),
      m_baseline_task(with_baseline_arguments(task, entry.direction)),
      m_entry(entry),
      m_device(device),
      m_options(options),
      m_kernels(std::max<std::size_t>(1, kernels)) {
  const bool gpu = device == Device::cuda;
  m_worker.program = manifest.toolchain.worker;
  m_worker.gpu = gpu;
  m_worker.threads = options.threads > 0 ? options.threads : static_cast<int>(usable_cpus().size());
  // On a GPU a worker gets all CPUs, since its start takes half a second of CPU time and it cannot
  // be moved later. Its main thread waits on the first CPU, which nothing else of ours uses
  // meanwhile, and wakes up there.
  m_worker.cpus = gpu ? usable_cpus() : pinned_cpus(m_worker.threads);
  const std::size_t one_call = largest_arena(task, entry.direction, configs, 1, gpu);
  m_budget = worker_budget(options, m_kernels, one_call,
                           gpu ? std::optional(gpu_facts().memory_bytes) : std::nullopt);
}

std::unique_ptr<TimedSubject> SubjectStarter::kernel(const BuiltKernel& kernel,
                                                     const std::stop_token& stop) const {
  auto subject = std::make_unique<TimedSubject>();
  subject->name = kernel.name;
  subject->task = &m_task;
  subject->max_workers = kernel.max_workers;
  subject->replayed = kernel.replayed;
  subject->options = m_worker;
  subject->options.stop = stop;
  subject->options.sandbox = sandbox_beside(m_worker.program);
  subject->options.readable = kernel.readable;
  subject->options.readable.push_back(kernel.library);
  subject->options.arena_bytes = m_budget.kernel_arena_bytes;
  subject->options.limits.call_timeout = m_options.call_timeout;
  subject->options.entry_point = kernel.entry_point;
  subject->options.gpu_queues = kernel.gpu_queues;
  const Load load = load_of(kernel.library, m_entry.direction, subject->options);
  subject->load_of = [load](const Config&) { return std::optional(load); };
  subject->workers = start(*subject);
  return subject;
}

std::unique_ptr<TimedSubject> SubjectStarter::baseline(const std::string& name,
                                                       const TimedSubject::Workers& shared) const {
  const Baseline baseline = parse_baseline(name, m_device);
  auto subject = std::make_unique<TimedSubject>();
  subject->name = name;
  subject->trusted = true;
  if (baseline.kind == Baseline::Kind::compile) subject->tolerance_scale = compiled_tolerance_scale;
  // Baselines with TF32 and empty ones are not compared with the reference.
  if (baseline.tf32 || baseline.kind == Baseline::Kind::empty) subject->tolerance_scale = 0;
  subject->task = &m_baseline_task;
  subject->options = m_worker;
  subject->options.subject = "it";  // after the name of the baseline
  subject->options.arena_bytes = m_budget.baseline_arena_bytes;
  // On a slow machine where kernels get more time, baselines need more, too.
  auto& limit = subject->options.limits.call_timeout;
  limit = std::max(limit, m_options.call_timeout);
  const std::vector<std::string>& command = m_manifest.toolchain.baseline_command;
  subject->options.program = command.front();
  subject->options.arguments.assign(command.begin() + 1, command.end());
  // The worker reads packages, which hold code that torch.compile has made.
  subject->options.sandbox = sandbox_beside(m_worker.program);
  subject->options.gpu_probe = m_worker.program;
  subject->options.readable = package_places(m_manifest, m_task);
  if (baseline.kind == Baseline::Kind::compile) {
    subject->load_of = [=, this](const Config& config) -> std::optional<Load> {
      const auto package = compile_package(m_manifest, m_task, m_entry.direction, m_device, config);
      if (!package) return std::nullopt;
      return load_package(baseline, *package);
    };
  } else if (baseline.kind == Baseline::Kind::empty) {
    subject->load_of = [](const Config&) { return std::optional(load_empty()); };
  } else {
    subject->load_of = [=, this](const Config& config) {
      return std::optional(load_eager(baseline, {m_task, m_entry.direction, config.params}));
    };
  }
  subject->workers = shared.empty() ? start(*subject) : shared;
  return subject;
}

bool SubjectStarter::keeps_workers(const TimedSubject& subject) const {
  return subject.trusted && m_device == Device::cpu && m_options.baseline_workers;
}

void SubjectStarter::restart(TimedSubject& kernel) const {
  kernel.workers = start(kernel);
  kernel.rejection.reset();
  kernel.restarted = true;
}

std::size_t SubjectStarter::workers_of(const BuiltKernel& kernel) const {
  return static_cast<std::size_t>(workers_within(m_budget, kernel.max_workers));
}

std::size_t SubjectStarter::max_workers_at_a_time() const {
  return worker_slots(m_budget, m_kernels);
}

TimedSubject::Workers SubjectStarter::start(const TimedSubject& subject) const {
  TimedSubject::Workers workers;
  const int count = workers_within(m_budget, subject.max_workers);
  for (int i = 0; i < count; ++i) {
    if (keeps_workers(subject)) {
      workers.push_back(m_options.baseline_workers->take(subject.options));
      continue;
    }
    // The memory may still be held by other processes that are ending or testing.
    const auto worker = wait_for_gpu_memory(
        [&] { return std::make_shared<TimedWorker>(subject.options, subject.trusted); },
        broker_gpu_memory_wait);
    workers.push_back(worker);
  }
  return workers;
}

}  // namespace robust_kbench
