#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/noop_cost.hpp"
#include "bench/race.hpp"
#include "bench/worker_budget.hpp"
#include "core/case.hpp"
#include "core/manifest.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// A kernel to be timed: what records call it, and its shared object.
struct BuiltKernel {
  std::string name;
  std::string library;
};

// The timings of one config: a result per kernel, in their order, then per baseline.
struct ConfigTimings {
  std::vector<RaceResult> kernels;
  std::vector<RaceResult> baselines;
};

// The kernels of one entry, each in workers of its own, and their baselines, which share theirs.
// They live through all configs, since starting torch takes longer than timing a config, and start
// while the caller does something else.
class BenchSession {
 public:
  // Of these configs, on `device` ("cpu" or "cuda"); the arguments outlive the session.
  BenchSession(const Manifest& manifest, const Task& task, Entry entry, const std::string& device,
               const std::vector<Config>& configs, std::vector<BuiltKernel> kernels,
               const BenchOptions& options);
  ~BenchSession();

  // One more kernel takes part from here to the end of the scope, and no other thread has the
  // session meanwhile.
  class Turn {
   public:
    Turn(BenchSession& session, const BuiltKernel& kernel);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    BenchSession& m_session;
    const std::scoped_lock<std::mutex> m_lock;
  };

  // This kernel, where it takes part, does so no longer.
  void withdraw(const std::string& kernel);

  // A kernel that was rejected once is not run again; its rejection is given for every config.
  ConfigTimings measure(const Config& config);
  // What another estimator says of every subject, each in a new process. A kernel's last outputs
  // are compared, and what is wrong with them is the record's note. Only on a GPU.
  std::vector<EstimateRecord> estimate(const Config& config, const std::string& estimator);

 private:
  struct Subject;
  using Workers = std::vector<std::shared_ptr<TimedWorker>>;
  void add_kernel(const BuiltKernel& kernel);
  void add_baseline(const std::string& name, const std::string& device);
  [[nodiscard]] Workers start_workers(const WorkerOptions& options) const;
  static void greet(Subject& subject);  // waits until its workers have started
  bool enter(Subject& subject, const Config& config);
  bool load(Subject& subject, const Config& config);
  static void reject(Subject& subject, const Finding& finding);
  void measure_noop(const Config& config);

  const Manifest& m_manifest;
  const Task& m_task;
  const Task m_baseline_task;
  const Entry m_entry;
  const bool m_gpu;
  const BenchOptions& m_options;
  WorkerOptions m_worker;  // of every subject
  WorkerBudget m_budget;
  std::mutex m_turn;
  std::vector<std::unique_ptr<Subject>> m_subjects;  // kernels, then baselines
  NoopCosts m_noop;
};

}  // namespace robust_kbench
