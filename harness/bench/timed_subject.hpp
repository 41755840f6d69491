#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/timed_worker.hpp"
#include "bench/worker_budget.hpp"
#include "core/case.hpp"
#include "core/judgement.hpp"
#include "core/manifest.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// A kernel to be timed: what records call it, and its shared object.
struct BuiltKernel {
  std::string name;
  std::string library;
  std::string entry_point = {};            // the function that is called; empty: as the direction
  std::vector<std::string> readable = {};  // by its workers: directories of what it is linked with
  int max_workers = 0;                     // that it gets; 0: as many as planned
  int gpu_queues = 0;                      // of WorkerOptions
};

// A kernel or baseline, in the workers that it is timed in.
struct TimedSubject {
  using Workers = std::vector<std::shared_ptr<TimedWorker>>;

  ~TimedSubject() { end(); }

  void kill() const;
  void end();          // all workers go at once
  void greet() const;  // waits until they have started
  // Makes every worker ready for a config. False where there is nothing to load.
  bool load(const Config& config);

  std::string name;
  const Task* task = nullptr;
  WorkerOptions options;
  int max_workers = 0;  // 0: as many as planned
  // Empty where there is nothing to load for a config.
  std::function<std::optional<Load>(const Config&)> load_of;
  Workers workers;
  Load loaded;  // of the config that is measured
  std::optional<Judgement> rejection;
  bool has_left = false;   // the race, which goes on without it
  bool restarted = false;  // after its worker was killed
  bool trusted = false;
  double tolerance_scale = 1;  // of the tolerances, see RunSubject
};

// Makes the subjects of one entry, and starts their workers.
class SubjectStarter {
 public:
  // Plans workers for `kernels` kernels at a time on `device`. The arguments must outlive this
  // object and its subjects.
  SubjectStarter(const Manifest& manifest, const Task& task, const Entry& entry, Device device,
                 const std::vector<Config>& configs, std::size_t kernels,
                 const BenchOptions& options);

  // Once `stop` is requested, the kernel's workers are killed and Cancelled is thrown.
  [[nodiscard]] std::unique_ptr<TimedSubject> kernel(const BuiltKernel& kernel,
                                                     const std::stop_token& stop = {}) const;
  // `shared` are the workers of another baseline to be shared. If empty, workers are started.
  [[nodiscard]] std::unique_ptr<TimedSubject> baseline(const std::string& name,
                                                       const TimedSubject::Workers& shared) const;
  // Whether the subject's workers are those of BenchOptions::baseline_workers.
  [[nodiscard]] bool keeps_workers(const TimedSubject& subject) const;
  // How many a kernel has.
  [[nodiscard]] std::size_t workers_of(const BuiltKernel& kernel) const;
  // For how many there is memory, where those of one turn end while the next turn's start.
  [[nodiscard]] std::size_t max_workers_at_a_time() const;
  // Gives a kernel that was rejected new workers.
  void restart(TimedSubject& kernel) const;

 private:
  [[nodiscard]] TimedSubject::Workers start(const TimedSubject& subject) const;

  const Manifest& m_manifest;
  const Task& m_task;
  const Task m_baseline_task;
  const Entry m_entry;
  const Device m_device;
  const BenchOptions& m_options;
  std::size_t m_kernels;
  WorkerOptions m_worker;  // of every subject
  WorkerBudget m_budget;
};

}  // namespace robust_kbench
