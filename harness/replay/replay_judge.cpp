#include "replay/replay_judge.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "check/batch.hpp"
#include "core/seed.hpp"
#include "device/gpu_facts.hpp"
#include "device/gpu_lock.hpp"
#include "device/gpu_memory_wait.hpp"
#include "tensor/torch_cuda.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// The sweeps of so many calls take some milliseconds, in which the noise of this process's clock
// vanishes.
constexpr std::size_t calls_together = 48;
// A batch may have so much content. On a GPU memory is plentiful, and few calls are noisy.
constexpr std::size_t content_bytes = std::size_t{512} << 20;

// Events and this process's clock see a graph of one kernel alike within a microsecond, and more
// kernels within some more. Beyond these and dirty_cache_us() one of them is false.
constexpr double tolerated_ratio = 1.5;
constexpr double tolerated_us = 3;

// A replayer that fails says nothing of the kernel, which is then judged in its own process.
bool is_finding(Verdict verdict) {
  return verdict == Verdict::wrong_result || verdict == Verdict::nondeterministic ||
         verdict == Verdict::cheat;
}

void compare_with_events(const ReplayTime& time) {
  if (time.us <= tolerated_ratio * time.events_us + tolerated_us + dirty_cache_us()) return;
  throw Rejection(cheat(CheatClass::timing,
                        fmt::format("its replay's events say {:.2f} us a call, and the broker's "
                                    "clock {:.2f} us",
                                    time.events_us, time.us)));
}

}  // namespace

double dirty_cache_us() {
  const GpuFacts& gpu = gpu_facts();
  return 1e6 * static_cast<double>(gpu.l2_bytes) / gpu.memory_bytes_per_s;
}

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
  options.arena_bytes = arena_bytes(workload, calls, /*gpu=*/true);
  return options;
}

ReplayOutcome ReplayJudge::judge(const Config& config, const OutputLimits& limits) const {
  const Workload workload{m_kernel.task, m_kernel.entry.direction, config.params};
  CallSource source(workload, secret_key(), device_for(true));
  Referee referee(workload, *limits);
  ReplayOutcome outcome;
  RecordedKernel recorded = [&] {
    const GpuLock with_others(GpuLock::Use::shared);
    return record_kernel(m_kernel, workload, source);
  }();
  outcome.not_replayed = recorded.not_replayed;
  if (!outcome.not_replayed.empty()) return outcome;
  const GpuLock alone(GpuLock::Use::exclusive);
  try {
    outcome.time = time(workload, source, referee, recorded);
  } catch (const Rejection& rejection) {
    if (is_finding(rejection.judgement().verdict)) throw;
    outcome.not_replayed = "its replay fails: " + std::string(rejection.what());
    return outcome;
  }
  compare_with_events(outcome.time);
  return outcome;
}

ReplayTime ReplayJudge::time(const Workload& workload, CallSource& source, Referee& referee,
                             const RecordedKernel& recorded) const {
  const std::size_t calls =
      std::clamp<std::size_t>(content_bytes / source.bytes_per_call(), 1, calls_together);
  const auto replayer = wait_for_gpu_memory(
      [&] {
        auto process =
            std::make_unique<WorkerProcess>(replayer_options(workload, calls, recorded.file.get()));
        answer_of(process->load({}));
        return process;
      },
      broker_gpu_memory_wait);
  return time_replay(*replayer, workload, source, referee, calls);
}

}  // namespace robust_kbench
