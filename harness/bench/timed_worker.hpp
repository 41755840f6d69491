#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/batch_clock.hpp"
#include "bench/together_time.hpp"
#include "broker/worker_process.hpp"
#include "check/batch.hpp"
#include "core/error.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// The error that ends a whole run when a baseline fails: "baseline 'eager': it threw: ...".
HarnessError baseline_failure(const std::string& name, const std::string& what);

// The calls of one batch, with the call to keep.
struct BatchRequest {
  const Load& load;
  Workload workload;
  std::span<const Tensors> calls;
  std::optional<std::size_t> keep;  // the call whose outputs are returned
};

struct BatchAnswer {
  BatchClock clock;                 // without the no-op batch and the state of the GPU
  std::vector<at::Tensor> outputs;  // of the call to keep
  std::size_t max_calls = 1;        // the most that a batch may have, see Batch
};

struct EstimateAnswer {
  Estimate estimate;
  std::vector<at::Tensor> outputs;  // of the last call
};

struct TogetherAnswer {
  TogetherSample sample;
  std::vector<at::Tensor> outputs;  // of the call to keep
  std::size_t max_calls = 1;        // as that of BatchAnswer
};

// A worker of one subject, or of several that take turns. Between requests all of its threads are
// stopped. Every failure is thrown as Rejection.
class TimedWorker {
 public:
  // `options` names its CPUs. Trusted workers, which are those of baselines, are not inspected.
  explicit TimedWorker(const WorkerOptions& options, bool trusted = false);

  // Waits until the process has started. Throws HarnessError if it cannot start.
  void greet();
  [[nodiscard]] bool alive() const { return m_process.alive(); }
  [[nodiscard]] int pid() const { return m_process.pid(); }
  // Kills the process without waiting for its end, which the destructor does.
  void kill() const { m_process.kill(); }
  // Loads afresh, and forgets how much memory a call of this load allocates.
  void load(const Load& load);
  // Baselines only. Unloads everything and gives the arena's pages back.
  void forget();
  // Runs a batch. If something else was loaded since, it first loads what the request names.
  BatchAnswer run(const BatchRequest& request);
  // Throws if child processes of the worker are left, since they would run while others are timed.
  void require_no_children();
  // Runs the named estimator on the request's only call.
  EstimateAnswer estimate(const BatchRequest& request, const std::string& estimator);
  // Runs the request's calls as one work of the GPU. Captured baselines only.
  TogetherAnswer time_together(const BatchRequest& request);
  // The cost of `calls` no-op calls by the broker's clock, on a GPU without their spans. The
  // worker's subject must be a no-op.
  std::uint64_t run_noop(std::size_t calls);

 private:
  using Clock = std::chrono::steady_clock;
  class Awake;

  void pause();
  void pause_and_look_for_children();
  void resume();
  // Throws if the worker's threads ran too much while stopped.
  void account(std::chrono::nanoseconds ran_while_paused);
  void prepare(Batch& batch, const BatchRequest& request);
  void make_current(const Load& load);
  // The arena bytes that a call of the config takes, or 0 before its first.
  std::size_t& known_bytes_per_call(const BatchRequest& request);

  WorkerProcess m_process;
  const bool m_trusted;
  const std::string m_subject;  // its name in messages
  std::optional<Clock::time_point> m_paused_at;
  Clock::duration m_paused{};  // total time of pauses
  Clock::duration m_ran_while_paused{};
  std::optional<Load> m_loaded;
  // By load and config. If the broker did not poison enough ahead, the worker would poison within
  // its timed calls.
  std::map<Load, std::map<std::map<std::string, ParamValue>, std::size_t>> m_bytes_per_call;
  // The CPU of the worker's main thread, on which the broker waits while calls are timed. One of
  // the two is always asleep. So neither waits for an idle CPU to wake up, which can take a virtual
  // machine milliseconds. Nor does the broker wait for worker threads that still spin on the other
  // CPUs after their last call.
  int m_broker_cpu;
};

}  // namespace robust_kbench
