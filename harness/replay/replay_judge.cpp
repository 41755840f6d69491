#include "replay/replay_judge.hpp"

#include <memory>
#include <utility>

#include "bench/together_time.hpp"
#include "check/batch.hpp"
#include "core/seed.hpp"
#include "device/empty_call.hpp"
#include "device/gpu_lock.hpp"
#include "device/gpu_memory_wait.hpp"
#include "replay/replay_size.hpp"
#include "tensor/torch_cuda.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// Events and this process's clock see graphs alike within a microsecond, and long ones within some
// percent. Beyond these one of them is false.
constexpr double tolerated_ratio = 1.25;
constexpr double tolerated_us = 3;

// A replayer that fails says nothing of the kernel, which is then judged in its own process.
bool is_finding(Verdict verdict) {
  return verdict == Verdict::wrong_result || verdict == Verdict::nondeterministic ||
         verdict == Verdict::cheat;
}

std::string why_it_fails(const Rejection& rejection, const RecordedKernel& recorded) {
  std::string failure = "its replay fails: " + std::string(rejection.what());
  if (recorded.cleared_bytes == 0) return failure;
  return fmt::format("its calls differ in {} bytes of their parameters, and without them {}",
                     recorded.cleared_bytes, failure);
}

// The replayer that starts while the kernel is recorded. Null where it has no room beside others.
std::unique_ptr<WorkerProcess> start_early(const WorkerOptions& options) {
  try {
    return std::make_unique<WorkerProcess>(options);
  } catch (const OutOfGpuMemory&) {
    return nullptr;
  }
}

std::unique_ptr<WorkerProcess> start_when_there_is_memory(const WorkerOptions& options) {
  return wait_for_gpu_memory([&] { return std::make_unique<WorkerProcess>(options); },
                             broker_gpu_memory_wait);
}

void compare_with_events(const ReplayTime& time) {
  const double us = time.by_clock.us;
  if (us <= tolerated_ratio * time.events_us + tolerated_us) return;
  throw Rejection(cheat(CheatClass::timing,
                        fmt::format("its replay's events say {:.2f} us a call, and the broker's "
                                    "clock {:.2f} us",
                                    time.events_us, us)));
}

}  // namespace

ReplayJudge::ReplayJudge(const KernelToRecord& kernel, std::string replayer)
    : m_kernel(kernel), m_replayer(std::move(replayer)) {}

WorkerOptions ReplayJudge::replayer_options(const Workload& workload, std::size_t calls,
                                            int recording) const {
  WorkerOptions options{.program = m_replayer, .arguments = {}};
  options.cpus = m_kernel.worker.cpus;
  options.threads = 1;
  options.gpu = true;
  options.subject = "its replay";
  options.sandbox = m_kernel.worker.sandbox;
  options.gpu_probe = m_kernel.worker.program;
  options.recording_fd = recording;
  options.limits = m_kernel.worker.limits;
  options.stop = m_kernel.worker.stop;
  options.arena_bytes = replay_arena_bytes(workload, calls);
  return options;
}

ReplayOutcome ReplayJudge::judge(const Config& config, const OutputLimits& limits,
                                 double own_us) const {
  const Workload workload{m_kernel.task, m_kernel.entry.direction, config.params};
  const std::size_t calls = calls_together(workload);
  CallSource source(workload, secret_key(), device_for(true));
  Referee referee(workload, *limits);
  const Descriptor recording = make_recording_file();
  const WorkerOptions options = replayer_options(workload, calls, recording.get());
  std::unique_ptr<WorkerProcess> replayer;
  RecordedKernel recorded;
  {
    const GpuLock with_others(GpuLock::Use::shared);
    replayer = start_early(options);
    recorded = record_kernel(m_kernel, workload, source, recording.get());
  }
  ReplayOutcome outcome{.not_replayed = recorded.not_replayed};
  if (!outcome.not_replayed.empty()) return outcome;
  const GpuLock alone(GpuLock::Use::exclusive);
  try {
    if (!replayer) replayer = start_when_there_is_memory(options);
    answer_of(replayer->load({}));
    outcome.time = time_replay(*replayer, workload, source, referee, calls, own_us);
    TogetherTime& time = outcome.time.by_clock;
    time.add_empty_call(empty_call_us(time.begins_with_fill));
    compare_with_events(outcome.time);
  } catch (const Rejection& rejection) {
    // Code may read the bytes that were cleared, and then the replay is another work.
    if (is_finding(rejection.judgement().verdict) && recorded.cleared_bytes == 0) throw;
    outcome.not_replayed = why_it_fails(rejection, recorded);
  }
  return outcome;
}

}  // namespace robust_kbench
