#include "bench/kernel_timer.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

#include "bench/baseline.hpp"
#include "bench/baseline_workers.hpp"
#include "bench/call_source.hpp"
#include "bench/captured_baseline.hpp"
#include "bench/noop_cost.hpp"
#include "bench/referee.hpp"
#include "bench/timed_limits.hpp"
#include "broker/worker_end.hpp"
#include "core/error.hpp"
#include "core/seed.hpp"
#include "device/cpu_lock.hpp"
#include "device/gpu_lock.hpp"
#include "device/gpu_memory_wait.hpp"
#include "tensor/generator.hpp"
#include "tensor/torch_cuda.hpp"

namespace robust_kbench {
namespace {

// If the workers of more kernels started at a time, none would be ready within the time limit.
constexpr std::size_t kernels_starting_together = 4;

// Reduces all subjects to as many workers as the one with the fewest has.
void even_out(std::vector<RunSubject>& subjects) {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const RunSubject& subject : subjects) least = std::min(least, subject.workers.size());
  for (RunSubject& subject : subjects) subject.workers.resize(least);
}

// Held while workers start or end. Meanwhile others may test, but not time.
class TestShare {
 public:
  explicit TestShare(bool gpu) {
    if (gpu) m_gpu.emplace(GpuLock::Use::shared);
  }

 private:
  const CpuLock m_cpu{GpuLock::Use::shared};
  std::optional<GpuLock> m_gpu;
};

}  // namespace

KernelTimer::KernelTimer(const Manifest& manifest, const Task& task, Entry entry, Device device,
                         const std::vector<Config>& configs, std::vector<BuiltKernel> kernels,
                         const BenchOptions& options, std::size_t turn_kernels, LimitsCache* limits)
    : m_task(task),
      m_entry(std::move(entry)),
      m_gpu(device == Device::cuda),
      m_options(options),
      m_starter(manifest, task, m_entry, device, configs, std::max(kernels.size(), turn_kernels),
                options),
      m_limits(limits != nullptr ? limits : &m_own_limits) {
  auto share = std::make_unique<TestShare>(m_gpu);
  add_kernels(kernels, 0, {});
  for (const std::string& name : options.baselines) add_baseline(name);
  m_starting = std::async(std::launch::async, [this, share = std::move(share)]() mutable {
    // This is released once they have started, since the tests before timing may need the GPU
    // alone.
    const auto while_they_start = std::move(share);
    for (const auto& subject : m_subjects) subject->greet();
  });
}

KernelTimer::~KernelTimer() {
  if (m_sound) leave_baselines();
  for (const auto& subject : m_subjects) subject->kill();
  if (m_starting.valid()) m_starting.wait();
}

void KernelTimer::leave_baselines() {
  const auto kept = std::find_if(m_subjects.begin(), m_subjects.end(), [this](const auto& subject) {
    return m_starter.keeps_workers(*subject);
  });
  if (kept == m_subjects.end()) return;
  try {
    wait_for_start();
  } catch (const std::exception&) {
    return;
  }
  for (const auto& worker : (*kept)->workers) {
    m_options.baseline_workers->keep((*kept)->options, worker);
  }
  for (const auto& subject : m_subjects) {
    if (m_starter.keeps_workers(*subject)) subject->workers.clear();
  }
}

void KernelTimer::wait_for_start() {
  if (m_starting.valid()) m_starting.get();
}

// Inserts kernels before the baselines in `m_subjects`. Several kernels start at the same time.
void KernelTimer::add_kernels(const std::vector<BuiltKernel>& kernels, std::size_t place,
                              const std::stop_token& stop) {
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (i >= kernels_starting_together) m_subjects[place + i - kernels_starting_together]->greet();
    m_subjects.insert(m_subjects.begin() + static_cast<std::ptrdiff_t>(place + i),
                      m_starter.kernel(kernels[i], stop));
  }
}

void KernelTimer::add_baseline(const std::string& name) {
  const bool first = m_subjects.empty() || !m_subjects.back()->trusted;
  m_subjects.push_back(
      m_starter.baseline(name, first ? TimedSubject::Workers() : m_subjects.back()->workers));
}

KernelTimer::Turn::Turn(KernelTimer& timer, const std::vector<BuiltKernel>& kernels,
                        const std::stop_token& stop)
    : m_timer(timer), m_lock(timer.m_turn), m_stop(stop) {
  timer.wait_for_start();
  try {
    add(kernels, 0);
  } catch (...) {
    end();
    throw;
  }
}

void KernelTimer::Turn::add(const std::vector<BuiltKernel>& kernels, std::size_t place) {
  std::size_t workers = m_timer.m_ending_workers;
  for (const auto& subject : m_timer.m_subjects) {
    if (!subject->trusted) workers += subject->workers.size();
  }
  for (const BuiltKernel& kernel : kernels) workers += m_timer.m_starter.workers_of(kernel);
  if (workers > m_timer.m_starter.max_workers_at_a_time()) m_timer.wait_for_end();
  const TestShare share(m_timer.m_gpu);
  m_timer.add_kernels(kernels, place, m_stop);
  for (std::size_t i = 0; i < kernels.size(); ++i) m_timer.m_subjects[place + i]->greet();
}

KernelTimer::Turn::~Turn() {
  end();
}

void KernelTimer::Turn::end() {
  auto& subjects = m_timer.m_subjects;
  const auto baselines = std::find_if(subjects.begin(), subjects.end(),
                                      [](const auto& subject) { return subject->trusted; });
  std::vector<std::unique_ptr<TimedSubject>> kernels(std::make_move_iterator(subjects.begin()),
                                                     std::make_move_iterator(baselines));
  subjects.erase(subjects.begin(), baselines);
  m_timer.m_ending_workers = 0;
  for (const auto& kernel : kernels) m_timer.m_ending_workers += kernel->workers.size();
  // The kernels end while the workers of the next one start.
  m_timer.m_ending =
      std::async(std::launch::async, [gpu = m_timer.m_gpu, kernels = std::move(kernels)]() mutable {
        const TestShare share(gpu);
        kernels.clear();
      });
}

void KernelTimer::wait_for_end() {
  if (m_ending.valid()) m_ending.get();
  m_ending_workers = 0;
}

void KernelTimer::leave(std::size_t place) {
  TimedSubject& subject = *m_subjects.at(place);
  subject.has_left = true;
  const TestShare share(m_gpu);
  subject.end();
}

void KernelTimer::end_kernels() {
  const TestShare share(m_gpu);
  for (const auto& subject : m_subjects) {
    if (!subject->trusted) subject->kill();  // so that they end side by side
  }
  for (const auto& subject : m_subjects) {
    if (subject->trusted) continue;
    subject->has_left = true;
    subject->end();
  }
}

void KernelTimer::measure_noop() {
  const auto trusted = std::find_if(m_subjects.begin(), m_subjects.end(),
                                    [](const auto& subject) { return subject->trusted; });
  m_noop = robust_kbench::measure_noop(*(*trusted)->workers.front(), m_options.noop_calls, m_gpu);
}

OutputLimits KernelTimer::limits(const Config& config) {
  return timed_limits(*m_limits, {m_task, m_entry.direction, config.params}, config, m_gpu);
}

// On a CPU this process tests nothing while a config is timed, nor during the second try.
ConfigTimings KernelTimer::measure(const Config& config, const Measurement& measurement) {
  m_sound = false;
  ConfigTimings timings = measure_once(config, measurement);
  if (restart_killed()) timings = measure_once(config, measurement);
  m_sound = true;
  return timings;
}

bool KernelTimer::restart_killed() {
  bool any = false;
  for (const auto& subject : m_subjects) {
    const auto& rejection = subject->rejection;
    if (!rejection || subject->has_left || subject->restarted) continue;
    if (!killed_for_memory(*rejection)) continue;
    const TestShare share(m_gpu);
    m_starter.restart(*subject);
    any = true;
  }
  return any;
}

// Each entrant beyond the first lengthens the cap by one subject's share of it.
BenchOptions KernelTimer::options_of(const Measurement& measurement,
                                     const std::vector<TimedSubject*>& running) const {
  BenchOptions options = m_options;
  options.warm_figures &= measurement.baselines;
  std::size_t entrants = 0;
  for (std::size_t i = 0; i < measurement.entrants; ++i) {
    if (std::ranges::find(running, m_subjects[i].get()) != running.end()) ++entrants;
  }
  if (entrants > 1) options.cap = options.cap * running.size() / (running.size() - entrants + 1);
  return options;
}

ConfigTimings KernelTimer::measure_once(const Config& config, const Measurement& measurement) {
  std::vector<RunSubject> run_subjects;
  std::vector<TimedSubject*> running;
  // Workers that are starting or ending would disturb the measurement.
  wait_for_start();
  wait_for_end();
  const CpuLock processors(m_gpu ? GpuLock::Use::shared : GpuLock::Use::exclusive);
  std::optional<GpuLock> alone;
  if (m_gpu) {
    give_back_gpu_memory();
    alone.emplace(GpuLock::Use::exclusive);
  }
  try {
    measure_noop();
    // On a GPU a kernel's clock discrepancy is judged by that of a baseline.
    bool needs_trusted = m_gpu;
    for (const auto& subject : m_subjects) {
      if (subject->rejection || subject->has_left) continue;
      if (subject->trusted && !measurement.baselines && !needs_trusted) continue;
      if (!enter(*subject, config)) continue;
      if (subject->trusted) needs_trusted = false;
      run_subjects.push_back({.name = subject->name,
                              .trusted = subject->trusted,
                              .tolerance_scale = subject->tolerance_scale,
                              .replayed = subject->replayed,
                              .task = subject->task,
                              .load = subject->loaded,
                              .workers = {}});
      for (const auto& worker : subject->workers)
        run_subjects.back().workers.push_back(worker.get());
      running.push_back(subject.get());
    }
  } catch (const Rejection& rejection) {
    throw HarnessError("baseline worker: " + std::string(rejection.what()));
  }
  even_out(run_subjects);
  const OutputLimits limits = this->limits(config);
  const BenchOptions options = options_of(measurement, running);
  const RunResults results =
      run_subjects.empty()
          ? RunResults{}
          : run_interleaved(run_subjects, {.workload = {m_task, m_entry.direction, config.params},
                                           .limits = *limits,
                                           .options = options,
                                           .noop = m_noop,
                                           .device = device_for(m_gpu),
                                           .own_content = measurement.entrants > 1});
  ConfigTimings timings{.roofline = results.roofline,
                        .busy_cpus = results.busy_cpus,
                        .disturbance = results.disturbance};
  for (const auto& subject : m_subjects) {
    const auto run_subject = std::find(running.begin(), running.end(), subject.get());
    if (run_subject != running.end()) {
      SubjectResult result =
          results.subjects[static_cast<std::size_t>(run_subject - running.begin())];
      if (result.rejection) reject(*subject, *result.rejection);
      if (subject->trusted && !measurement.baselines) continue;
      (subject->trusted ? timings.baselines : timings.kernels).push_back(std::move(result));
    } else if (!subject->trusted) {
      timings.kernels.push_back(
          {.timing = {.subject = subject->name}, .rejection = subject->rejection});
    }
  }
  return timings;
}

std::vector<EstimateRecord> KernelTimer::estimate(const Config& config,
                                                  const std::string& estimator) {
  wait_for_start();
  const CpuLock processors(GpuLock::Use::shared);
  const GpuLock alone(GpuLock::Use::exclusive);
  const Workload workload{m_task, m_entry.direction, config.params};
  CallSource call_source(workload, secret_key(), device_for(m_gpu));
  Referee referee(workload, *limits(config));
  std::vector<EstimateRecord> records;
  for (const auto& subject : m_subjects) {
    const std::optional<Load> load = subject->load_of(config);
    if (subject->rejection || !load) continue;
    const std::vector<Tensors> call = call_source.batch(1);
    EstimateRecord record{.subject = subject->name, .estimator = estimator, .note = {}};
    try {
      const auto worker = wait_for_gpu_memory(
          [&] { return std::make_unique<TimedWorker>(subject->options, subject->trusted); });
      const EstimateAnswer answer =
          worker->estimate({.load = *load,
                            .workload = {*subject->task, m_entry.direction, config.params},
                            .calls = call,
                            .keep = 0},
                           estimator);
      record.time_us = answer.estimate.time_us;
      record.calls = answer.estimate.calls;
      record.note = answer.estimate.note;
      if (!subject->trusted) {
        const Judgement judgement =
            referee.check(answer.outputs, referee.expected(call.front())).judgement;
        if (!judgement.passes()) {
          record.note = "its last result was wrong: " + judgement.reason;
        }
      }
    } catch (const Rejection& rejection) {
      record.note = rejection.what();
    }
    records.push_back(std::move(record));
  }
  return records;
}

std::vector<EstimateRecord> KernelTimer::time_baselines_together(const Config& config) {
  wait_for_start();
  end_kernels();
  const CpuLock processors(GpuLock::Use::shared);
  give_back_gpu_memory();
  const GpuLock alone(GpuLock::Use::exclusive);
  const Workload workload{m_task, m_entry.direction, config.params};
  const OutputLimits limits = this->limits(config);
  std::vector<EstimateRecord> records;
  for (const auto& subject : m_subjects) {
    const std::optional<Load> load = subject->trusted ? subject->load_of(config) : std::nullopt;
    const std::optional<Load> captured_load = load ? captured(*load) : std::nullopt;
    if (!captured_load) continue;
    records.push_back(time_captured({.subject = *subject,
                                     .load = *captured_load,
                                     .workload = workload,
                                     .limits = limits,
                                     .batch_bytes = m_options.batch_bytes}));
  }
  return records;
}

bool KernelTimer::baselines_live() const {
  return std::ranges::all_of(m_subjects, [](const auto& subject) {
    return !subject->trusted || std::ranges::all_of(subject->workers, [](const auto& worker) {
      return worker->alive();
    });
  });
}

void KernelTimer::rest() {
  const std::scoped_lock turn(m_turn);
  wait_for_start();
  const TestShare share(m_gpu);
  for (const auto& subject : m_subjects) {
    for (const auto& worker : subject->workers) worker->forget();
  }
  if (m_gpu) give_back_gpu_memory();
}

// Returns false if a subject does not run on this config, since a kernel cannot be loaded or a
// baseline does not exist for it.
bool KernelTimer::enter(TimedSubject& subject, const Config& config) {
  try {
    return subject.load(config);
  } catch (const Rejection& rejection) {
    if (subject.trusted) throw baseline_failure(subject.name, rejection.what());
    reject(subject, rejection.judgement());
    return false;
  }
}

void KernelTimer::reject(TimedSubject& subject, const Judgement& judgement) {
  subject.rejection = judgement;
  subject.end();
}

}  // namespace robust_kbench
