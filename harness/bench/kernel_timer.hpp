#pragma once

#include <future>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/interleaved_run.hpp"
#include "bench/noop_cost.hpp"
#include "bench/timed_subject.hpp"
#include "check/limits_cache.hpp"
#include "core/case.hpp"
#include "core/manifest.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The options for measuring a config.
struct Measurement {
  bool baselines = true;  // take part; else there are no figures of warm calls either
  // The number of kernels that race against all others. If there are several, each batch has
  // content of its own.
  std::size_t entrants = 1;
};

// The timings of one config: one result for each kernel, in their order, then for each baseline.
struct ConfigTimings {
  std::vector<SubjectResult> kernels;
  std::vector<SubjectResult> baselines;
  std::optional<RooflineRecord> roofline;
  std::optional<double> busy_cpus = {};  // see ConfigTimingRecord
  std::string disturbance = {};          // see there
};

// The kernels of one entry, each in workers of its own, and their baselines, which share workers.
// The workers serve all configs, since starting torch takes longer than timing a config. They start
// while the caller does something else. On a GPU the caller has claimed the memory that they take
// there (bench/worker_budget.hpp).
class KernelTimer {
 public:
  // Times `configs` on `device`. The arguments must outlive the timer. Memory is planned for
  // `turn_kernels` kernels of a turn, or for `kernels` if these are more. `limits` holds limits
  // that others have measured for the entry, or is null.
  KernelTimer(const Manifest& manifest, const Task& task, Entry entry, Device device,
              const std::vector<Config>& configs, std::vector<BuiltKernel> kernels,
              const BenchOptions& options, std::size_t turn_kernels = 1,
              LimitsCache* limits = nullptr);
  ~KernelTimer();

  // Lets these kernels take part until the end of the scope. Kernels of one turn start while those
  // of the previous turn end, and the memory is planned for both. So a turn may have up to twice
  // the planned workers, but then it waits until the others have ended. The timer must have no
  // kernels of its own. No other thread can use the timer meanwhile. `stop` kills their workers,
  // which ends the turn by Cancelled.
  class Turn {
   public:
    Turn(KernelTimer& timer, const std::vector<BuiltKernel>& kernels,
         const std::stop_token& stop = {});
    ~Turn();
    // Adds kernels before the first measurement, in front of the kernel at `place`.
    void add(const std::vector<BuiltKernel>& kernels, std::size_t place);
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    void end();

    KernelTimer& m_timer;
    const std::scoped_lock<std::mutex> m_lock;
    const std::stop_token m_stop;
  };

  // A kernel that was rejected once is not run again, and its rejection is given for every config.
  // A kernel whose worker was killed gets one more try. On a GPU one baseline always takes part,
  // since false clocks are found by comparison with it. It is not in a result without baselines.
  ConfigTimings measure(const Config& config, const Measurement& measurement = {});
  // The kernel at this place of the turn leaves the race. Its later results hold no timing.
  void leave(std::size_t place);
  // Times every subject by another estimator, each in a new process. A kernel's last outputs are
  // compared, and a mismatch is noted in the record. GPU only.
  std::vector<EstimateRecord> estimate(const Config& config, const std::string& estimator);
  // Times each baseline by calls that are one work of the GPU (bench/captured_baseline.hpp). The
  // turn's kernels end first, since what they have launched might go on beside it.
  std::vector<EstimateRecord> time_baselines_together(const Config& config);
  // Whether all workers of the baselines are alive. Torch may end one that captures its calls.
  [[nodiscard]] bool baselines_live() const;
  // The baselines' workers unload all that they can load again, and stay.
  void rest();

 private:
  void add_kernels(const std::vector<BuiltKernel>& kernels, std::size_t place,
                   const std::stop_token& stop);
  void add_baseline(const std::string& name);
  // All kernels leave the race.
  void end_kernels();
  // Keeps the baselines' workers for the next timer.
  void leave_baselines();
  // Waits for the workers that the constructor started. Throws HarnessError if they cannot start.
  void wait_for_start();
  static bool enter(TimedSubject& subject, const Config& config);
  static void reject(TimedSubject& subject, const Judgement& judgement);
  void measure_noop();
  // The limits of a config's outputs.
  OutputLimits limits(const Config& config);
  ConfigTimings measure_once(const Config& config, const Measurement& measurement);
  [[nodiscard]] BenchOptions options_of(const Measurement& measurement,
                                        const std::vector<TimedSubject*>& running) const;
  // Waits until the kernels of the last turn have ended.
  void wait_for_end();
  // Restarts kernels whose workers were killed for memory. True if there were any.
  bool restart_killed();

  const Task& m_task;
  const Entry m_entry;
  const bool m_gpu;
  const BenchOptions& m_options;
  const SubjectStarter m_starter;
  std::mutex m_turn;
  std::vector<std::unique_ptr<TimedSubject>> m_subjects;  // kernels, then baselines
  std::future<void> m_starting;                           // of the constructor's workers
  std::future<void> m_ending;                             // of the kernels of the last turn
  std::size_t m_ending_workers = 0;
  bool m_sound = true;  // false after a failed measurement, as baselines may be its cause
  NoopCosts m_noop;
  LimitsCache m_own_limits;
  LimitsCache* m_limits;  // m_own_limits, or those shared with others
};

}  // namespace robust_kbench
