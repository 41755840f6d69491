#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/batch_clock.hpp"
#include "broker/worker_process.hpp"
#include "check/batch.hpp"
#include "core/error.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// What becomes of everything where a baseline fails: "baseline 'eager': it threw: ...".
HarnessError baseline_failure(const std::string& name, const std::string& what);

// The calls of one batch and what is wanted of it.
struct BatchRequest {
  const Load& load;
  Workload workload;
  std::span<const Tensors> calls;
  std::optional<std::size_t> keep;  // the call whose outputs are wanted
};

struct BatchAnswer {
  BatchClock clock;                 // without the no-op batch and the state of the GPU
  std::vector<at::Tensor> outputs;  // of the call to keep
  std::size_t max_calls = 1;        // that a batch may have, see Batch
};

struct EstimateAnswer {
  Estimate estimate;
  std::vector<at::Tensor> outputs;  // of the last call
};

// A worker of one subject, or of several that take turns. Between requests all of its
// threads are stopped. Every failure is thrown as Rejection.
class TimedWorker {
 public:
  // `options` names its CPUs. What is trusted, baselines, is not inspected.
  explicit TimedWorker(const WorkerOptions& options, bool trusted = false);

  // Waits until the process has started. Throws HarnessError where it cannot.
  void greet();
  [[nodiscard]] bool alive() const { return m_process.alive(); }
  // Begins what the destructor waits for.
  void kill() const { m_process.kill(); }
  // For a config that nothing is known of.
  void load(const Load& load);
  // Of a baseline's: unloads everything and gives its arena's pages back.
  void forget();
  // Goes back to what the request names, where something else was loaded since.
  BatchAnswer run(const BatchRequest& request);
  // Throws where processes are left that the worker has started: they run while others are timed.
  void require_no_children();
  // Of the request's only call.
  EstimateAnswer estimate(const BatchRequest& request, const std::string& estimator);
  // What `calls` calls cost that do nothing, by the broker's clock; on a GPU but for their spans.
  // The subject must be one that does nothing.
  std::uint64_t run_noop(std::size_t calls);

 private:
  using Clock = std::chrono::steady_clock;
  class Awake;

  void pause();
  void pause_and_look_for_children();
  void resume();
  // Throws where threads have run too much all the same.
  void account(std::chrono::nanoseconds ran_while_paused);
  void prepare(Batch& batch, const BatchRequest& request);
  void make_current(const Load& load);

  WorkerProcess m_process;
  const bool m_trusted;
  const std::string m_subject;  // in messages
  std::optional<Clock::time_point> m_paused_at;
  Clock::duration m_paused{};  // in all
  Clock::duration m_ran_while_paused{};
  std::optional<Load> m_loaded;
  // What a call allocates, of those that were loaded before: a batch for which the broker has not
  // poisoned enough would do so in its calls.
  std::map<Load, std::size_t> m_bytes_per_call;
  // Where the broker is while calls are timed: on the CPU of the worker's main thread, one of the
  // two asleep. So neither waits for an idle CPU to wake up, which takes a virtual machine up to
  // milliseconds, nor for threads of the worker that spin on the other CPUs after their last call.
  int m_broker_cpu;
};

}  // namespace robust_kbench
