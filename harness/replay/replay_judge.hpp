#pragma once

#include <string>

#include "bench/referee.hpp"
#include "check/limits_cache.hpp"
#include "core/case.hpp"
#include "replay/recorded_kernel.hpp"
#include "replay/replay_time.hpp"

namespace robust_kbench {

// A config in which a kernel was replayed, or the reason why it was not.
struct ReplayOutcome {
  std::string not_replayed;
  ReplayTime time;
};

// Judges CUDA kernels of one entry by what their recorded work does in a process that has none of
// their host code. This process writes contents that the kernel has never seen, compares outputs
// with the float64 reference, and takes the time by its own clock. Events of a replayer are no
// evidence, since code on the GPU can change their time stamps.
class ReplayJudge {
 public:
  // `replayer` is the path of rkb_replayer. `kernel` must outlive the object.
  ReplayJudge(const KernelToRecord& kernel, std::string replayer);

  // Records the kernel on a config, in which a call takes `own_us` microseconds in its own process.
  // Replays it in a new process. Takes the GPU alone while it times. A replayer that fails is a
  // reason why the kernel was not replayed. Throws Rejection for outputs that are wrong, for
  // findings of the detectors, and for a time that the replayer's events contradict. Throws
  // HarnessError.
  ReplayOutcome judge(const Config& config, const OutputLimits& limits, double own_us) const;

 private:
  [[nodiscard]] WorkerOptions replayer_options(const Workload& workload, std::size_t calls,
                                               int recording) const;

  const KernelToRecord& m_kernel;
  std::string m_replayer;
};

}  // namespace robust_kbench
