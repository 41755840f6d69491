#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/call_source.hpp"
#include "bench/interleaved_run.hpp"
#include "bench/referee.hpp"
#include "bench/subject_samples.hpp"
#include "core/cipher.hpp"
#include "device/gpu_watch.hpp"
#include "tensor/scoped_torch_threads.hpp"

namespace robust_kbench {

// A call on which torch's own float32 is right, too.
struct WellConditionedCall {
  std::vector<Tensors> content;  // a single call
  std::vector<at::Tensor> expected;
};

// Content of a batch, which several subjects may use in turn.
struct BatchContent {
  BatchContent(Referee& referee, std::vector<Tensors> of_calls)
      : calls(std::move(of_calls)), references(referee, calls) {}
  BatchContent(const BatchContent&) = delete;
  BatchContent& operator=(const BatchContent&) = delete;
  ~BatchContent() = default;

  std::vector<Tensors> calls;
  BatchReferences references;
};

// The findings of a first call.
struct FirstAnswer {
  std::size_t max_calls = 1;             // the most that a batch of the subject may have
  std::chrono::duration<double> took{};  // by the broker's clock
};

// The batches of a run, each by one worker of one subject. A subject's failures and cheats are
// thrown as Rejection.
class BatchRunner {
 public:
  // Runs the config that `conditions` names. Both arguments must outlive the object.
  explicit BatchRunner(const RunConditions& conditions);

  // Throws HarnessError if torch misses the limits again and again.
  WellConditionedCall well_conditioned_call();
  // A verified call that is not timed. Threads may run it for several workers at a time.
  FirstAnswer first_call(const SubjectSamples& subject, TimedWorker& worker,
                         const WellConditionedCall& call) const;

  // Measures the subject on a GPU with a warm cache. The outputs are verified, but the times are
  // the worker's claims.
  void estimate_warm(SubjectSamples& subject, const WellConditionedCall& call) const;

  // Finds how many calls of the subject make a batch long enough, and how many fit into one.
  // `subject` holds the findings of its first call.
  void calibrate(SubjectSamples& subject);

  std::unique_ptr<BatchContent> content(std::size_t calls) {
    return std::make_unique<BatchContent>(m_referee, m_call_source.batch(calls));
  }
  // Runs one timed batch and adds its sample to the subject, unless an interruption or throttling
  // disturbed it.
  void take(SubjectSamples& subject, std::size_t worker, BatchContent& content);

  // The time of a batch of one call.
  double single_call_us(const SubjectSamples& subject, std::size_t worker);

  // Starts the clock of the config's time limit. Earlier calls load libraries, which takes some
  // baselines longer than others.
  void begin_rounds();
  // The time since the rounds began.
  [[nodiscard]] std::chrono::duration<double> elapsed() const {
    return std::chrono::steady_clock::now() - m_start;
  }
  // The reason why the GPU was throttled, or empty if it never was.
  [[nodiscard]] const std::string& throttled() const { return m_throttled; }

 private:
  bool take_unless_short(SubjectSamples& subject, std::size_t worker, BatchContent& content);
  std::optional<std::size_t> call_to_verify(SubjectSamples& subject, std::size_t worker,
                                            std::size_t calls);
  void verify(SubjectSamples& subject, std::size_t worker, const BatchAnswer& answer,
              const Tensors& content, const std::vector<at::Tensor>& expected);
  void confirm(const SubjectSamples& subject, TimedWorker& worker);
  [[nodiscard]] double estimate_us(const SubjectSamples& subject, const WellConditionedCall& call,
                                   const char* estimator) const;
  [[nodiscard]] BatchRequest request(const SubjectSamples& subject, std::span<const Tensors> calls,
                                     std::optional<std::size_t> keep) const;
  BatchAnswer run_batch(const SubjectSamples& subject, TimedWorker& worker,
                        std::span<const Tensors> calls, std::optional<std::size_t> keep) const;
  [[nodiscard]] OutputCheck check(const SubjectSamples& subject,
                                  const std::vector<at::Tensor>& outputs,
                                  const std::vector<at::Tensor>& expected) const;
  [[nodiscard]] bool long_enough(const BatchAnswer& answer) const;

  const BenchOptions& m_options;
  const RunConditions& m_conditions;
  std::chrono::steady_clock::time_point m_start;
  std::chrono::duration<double> m_verified_before{};
  CipherStream m_random;
  CallSource m_call_source;
  Referee m_referee;
  std::size_t m_max_calls = 1;
  std::optional<GpuWatch> m_gpu;                   // if the GPU is timed
  std::optional<ScopedTorchThreads> m_one_thread;  // if calls are small
  std::string m_throttled;
};

}  // namespace robust_kbench
