#include "bench/timed_worker.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "check/detect/left_processes.hpp"
#include "core/seed.hpp"
#include "device/openmp.hpp"
#include "ipc/baseline_load.hpp"
#include "process/affinity.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr int noop_runs = 10;
constexpr std::uint64_t children_looked_for_in = 4;  // in one batch of so many
// The processor time that a stopped worker may show. If a hypervisor takes the processor away just
// as a thread stops, that time is counted as the thread's.
constexpr std::chrono::milliseconds tolerated_while_paused{10};
constexpr int tolerated_part = 20;  // and one in so many of the time

using Milliseconds = std::chrono::duration<double, std::milli>;

}  // namespace

HarnessError baseline_failure(const std::string& name, const std::string& what) {
  return HarnessError("baseline '" + name + "': " + what);
}

class TimedWorker::Awake {
 public:
  explicit Awake(TimedWorker& worker) : m_worker(worker) { worker.resume(); }
  ~Awake() { m_worker.pause(); }
  Awake(const Awake&) = delete;
  Awake& operator=(const Awake&) = delete;

 private:
  TimedWorker& m_worker;
};

// The first of the worker's CPUs is that of its main thread (OMP_PROC_BIND).
TimedWorker::TimedWorker(const WorkerOptions& options, bool trusted)
    : m_process(options),
      m_trusted(trusted),
      m_subject(options.subject),
      m_broker_cpu(options.cpus.front()) {}

void TimedWorker::pause() {
  m_process.pause();
  m_paused_at = Clock::now();
}

void TimedWorker::resume() {
  account(m_process.resume());
}

void TimedWorker::account(std::chrono::nanoseconds ran_while_paused) {
  m_ran_while_paused += ran_while_paused;
  if (m_paused_at) m_paused += Clock::now() - *std::exchange(m_paused_at, std::nullopt);
  if (m_ran_while_paused < tolerated_while_paused + m_paused / tolerated_part) return;
  pause();
  throw Rejection(cheat(CheatClass::timing,
                        fmt::format("{} ran for {:.1f} ms of a processor's time while it was "
                                    "stopped and others were timed",
                                    m_subject, Milliseconds(m_ran_while_paused).count())));
}

void TimedWorker::greet() {
  m_process.greet();
}

void TimedWorker::load(const Load& load) {
  const Awake awake(*this);
  if (m_loaded == load) m_loaded.reset();
  m_bytes_per_call.erase(load);
  make_current(load);
}

void TimedWorker::forget() {
  const Awake awake(*this);
  m_loaded.reset();
  m_bytes_per_call.clear();
  answer_of(m_process.load(encode({.kind = BaselineLoad::Kind::nothing})));
  m_process.arena().discard();
}

void TimedWorker::make_current(const Load& load) {
  if (m_loaded == load) return;
  m_loaded.reset();
  answer_of(m_process.load(load));
  m_loaded = load;
}

std::size_t& TimedWorker::known_bytes_per_call(const BatchRequest& request) {
  return m_bytes_per_call[request.load][request.workload.params.values()];
}

// A kernel's threads could compute from inputs that are there before the clock runs. On a CPU
// inputs are therefore written while the worker is stopped. Eager mode needs them earlier, to
// record the graph of its backward pass. It gets them again, so that the machine is in the same
// state for all subjects. On a GPU the process that used it last still has it when the clock
// starts, so inputs are written earlier.
void TimedWorker::prepare(Batch& batch, const BatchRequest& request) {
  const bool on_gpu = m_process.arena().on_gpu();
  const bool at_once = on_gpu || m_trusted;
  batch.place(request.calls, Addresses::fresh, at_once ? Inputs::now : Inputs::later);
  stop_openmp_threads();
  const ScopedAffinity beside_the_worker(m_broker_cpu);
  answer_of(batch.prepare());
  if (on_gpu) return;
  pause_and_look_for_children();
  batch.write_inputs();
}

// Child processes of the worker are not stopped with it, but a stopped worker cannot start more.
// Looking for them takes milliseconds, so only one batch in four does.
void TimedWorker::pause_and_look_for_children() {
  pause();
  if (m_trusted || secret_key() % children_looked_for_in != 0) return;
  require_no_children();
}

BatchAnswer TimedWorker::run(const BatchRequest& request) {
  const Awake awake(*this);
  make_current(request.load);
  std::size_t& bytes_per_call = known_bytes_per_call(request);
  Batch batch(m_process, request.workload);
  batch.expect_kernel_bytes_per_call(bytes_per_call);
  prepare(batch, request);
  const bool inspected = request.keep && !m_trusted;
  const Ran ran = [&] {
    const ScopedAffinity beside_the_worker(m_broker_cpu);
    return answer_of(batch.run(inspected));
  }();
  account(std::chrono::nanoseconds(ran.ran_before_ns));
  answer_of(batch.collect(request.keep));
  bytes_per_call = batch.kernel_bytes_per_call();
  if (inspected) {
    if (auto finding = batch.inspect()) throw Rejection(*std::move(finding));
    if (!batch.outputs_unchanged()) {
      throw Rejection(
          cheat(CheatClass::late_write, "wrote to its outputs after the timed calls had returned"));
    }
  }
  if (!m_trusted && !m_process.arena().on_gpu()) {
    if (const auto call = answer_of(batch.unfinished_call())) {
      throw Rejection(cheat(CheatClass::late_write,
                            fmt::format("wrote to the outputs of call {} of {} after that call had "
                                        "returned",
                                        *call, request.calls.size())));
    }
  }
  BatchAnswer answer{.clock = {.wall_ns = ran.wall_ns,
                               .ran_before_ns = ran.ran_before_ns,
                               .delayed_ns = ran.delayed_ns,
                               .claimed_ns = batch.claimed_ns(),
                               .on_gpu = m_process.arena().on_gpu()},
                     .outputs = batch.outputs(),
                     .max_calls = batch.max_calls()};
  answer_of(batch.release());
  // Threads and processes that still run now would disturb others.
  pause_and_look_for_children();
  return answer;
}

void TimedWorker::require_no_children() {
  if (auto finding = left_processes(m_process)) throw Rejection(*std::move(finding));
}

EstimateAnswer TimedWorker::estimate(const BatchRequest& request, const std::string& estimator) {
  const Awake awake(*this);
  make_current(request.load);
  Batch batch(m_process, request.workload);
  batch.expect_kernel_bytes_per_call(known_bytes_per_call(request));
  batch.place(request.calls);
  answer_of(batch.prepare());
  EstimateAnswer answer{.estimate = answer_of(m_process.estimate(estimator)), .outputs = {}};
  answer_of(batch.collect(0));
  answer.outputs = batch.outputs();
  answer_of(batch.release());
  return answer;
}

TogetherAnswer TimedWorker::time_together(const BatchRequest& request) {
  const Awake awake(*this);
  make_current(request.load);
  Batch batch(m_process, request.workload);
  batch.place(request.calls);
  try {
    answer_of(batch.prepare());
    TogetherAnswer answer{
        .sample = time_batch_together(m_process, request.calls.size(), m_broker_cpu),
        .outputs = {}};
    if (request.keep) answer_of(batch.collect(request.keep));
    answer.outputs = batch.outputs();
    answer.max_calls = batch.max_calls();
    answer_of(batch.release());
    return answer;
  } catch (...) {
    // Other baselines use the worker, which goes on without the batch's memory if it lives.
    if (m_process.alive()) (void)batch.release();
    throw;
  }
}

std::uint64_t TimedWorker::run_noop(std::size_t calls) {
  const Awake awake(*this);
  answer_of(m_process.prepare(std::vector<Call>(calls)));
  std::vector<std::uint64_t> idle;
  stop_openmp_threads();
  const ScopedAffinity beside_the_worker(m_broker_cpu);
  for (int i = 0; i < noop_runs; ++i) {
    if (!m_process.arena().on_gpu()) pause();
    idle.push_back(answer_of(m_process.run()).wall_ns);
    if (!m_process.arena().on_gpu()) continue;
    for (const CallResult& result : answer_of(m_process.collect(calls))) {
      idle.back() -= std::min(idle.back(), result.span_ns);
    }
  }
  answer_of(m_process.release());
  // The minimum is taken, since an interruption here would be subtracted from every batch of the
  // config.
  return *std::min_element(idle.begin(), idle.end());
}

}  // namespace robust_kbench
