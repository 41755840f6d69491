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

// A kernel to be timed, with its name in records and its shared object.
struct BuiltKernel {
  std::string name;
  std::string library;
  std::string entry_point = {};            // the called function; empty: named by the direction
  std::vector<std::string> readable = {};  // by its workers: directories of its libraries
  int max_workers = 0;                     // the most that it gets; 0: as many as planned
  int gpu_queues = 0;                      // see WorkerOptions
  bool replayed = false;                   // see RunSubject
};

// A kernel or baseline with the workers in which it is timed.
struct TimedSubject {
  using Workers = std::vector<std::shared_ptr<TimedWorker>>;

  ~TimedSubject() { end(); }

  void kill() const;
  void end();          // ends all workers at once
  void greet() const;  // waits until the workers have started
  // Makes every worker ready for a config. Returns false if there is nothing to load.
  bool load(const Config& config);

  std::string name;
  const Task* task = nullptr;
  WorkerOptions options;
  int max_workers = 0;  // 0: as many as planned
  // The load request for a config, or nullopt if there is nothing to load.
  std::function<std::optional<Load>(const Config&)> load_of;
  Workers workers;
  Load loaded;  // for the config that is measured
  std::optional<Judgement> rejection;
  bool has_left = false;   // has left the race, which goes on without it
  bool restarted = false;  // after its worker was killed
  bool trusted = false;
  double tolerance_scale = 1;  // see RunSubject
  bool replayed = false;       // see RunSubject
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
  // `shared` are workers of another baseline that this one uses, too. If empty, workers are
  // started.
  [[nodiscard]] std::unique_ptr<TimedSubject> baseline(const std::string& name,
                                                       const TimedSubject::Workers& shared) const;
  // Whether the subject's workers belong to BenchOptions::baseline_workers.
  [[nodiscard]] bool keeps_workers(const TimedSubject& subject) const;
  // The number of a kernel's workers.
  [[nodiscard]] std::size_t workers_of(const BuiltKernel& kernel) const;
  // The number of kernels' workers that memory allows, if those of one turn end while the next
  // turn's start.
  [[nodiscard]] std::size_t max_workers_at_a_time() const;
  // Starts new workers for a kernel that was rejected.
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
  WorkerOptions m_worker;  // the same for every subject
  WorkerBudget m_budget;
};

}  // namespace robust_kbench
