#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "bench/keeper.hpp"
#include "bench/timed_worker.hpp"

namespace robust_kbench {

// Workers of baselines on the CPU that serve one entry after another. Starting torch in them takes
// longer than timing a config, and each can load any task. It is safe to use from any thread.
class BaselineWorkers {
 public:
  using Worker = std::shared_ptr<TimedWorker>;

  BaselineWorkers();

  // A kept worker of the same program, sandbox, CPUs and limits whose arena is large enough, else a
  // new one. Throws HarnessError if none can be started.
  Worker take(const WorkerOptions& wanted);
  // Unloads everything from a worker that was taken with `options`, and keeps it. A worker that
  // does not answer is dropped.
  void keep(const WorkerOptions& options, const Worker& worker);

 private:
  struct Kept {
    WorkerOptions options;
    Worker worker;
  };

  // Takes a worker that fits out of the kept ones.
  Worker kept(const WorkerOptions& options);

  std::mutex m_mutex;
  std::vector<Kept> m_kept;
  Keeper m_keeper;  // last: workers die with its thread
};

}  // namespace robust_kbench
