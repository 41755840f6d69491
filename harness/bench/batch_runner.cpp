#include "bench/batch_runner.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/seed.hpp"
#include "process/affinity.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// This bounds the memory of a batch's messages. Calls of a microsecond still make a batch long
// enough.
constexpr std::size_t max_calls = 8192;
constexpr std::size_t calibration_calls = 8;
constexpr int max_calibrations = 4;
// The time limit of the first batch, estimated by the first call.
constexpr std::chrono::duration<double> longest_calibration{1};
// Batch lengths vary by up to an eighth, so that a kernel cannot know which call is the last. Else
// it could defer calls until it can do several at once.
constexpr std::size_t spread_of_lengths = 8;
constexpr int conditioning_tries = 10;
// Torch's threads end before every batch on a CPU. Starting them again takes longer than they save
// on a call with less content.
constexpr std::size_t content_for_threads = std::size_t{4} << 20;

}  // namespace

BatchRunner::BatchRunner(const RunConditions& conditions)
    : m_options(conditions.options),
      m_conditions(conditions),
      m_random(secret_key()),
      m_call_source(conditions.workload, secret_key(), conditions.device),
      m_referee(conditions.workload, conditions.limits),
      m_max_calls(std::clamp<std::size_t>(m_options.batch_bytes / m_call_source.bytes_per_call(), 1,
                                          max_calls)) {
  if (!conditions.device.is_cuda()) {
    if (m_call_source.bytes_per_call() < content_for_threads) m_one_thread.emplace(1);
    return;
  }
  const ScopedAffinity beside_timing(cpus_beside_timing());
  m_gpu.emplace();
}

WellConditionedCall BatchRunner::well_conditioned_call() {
  for (int tries = 0; tries < conditioning_tries; ++tries) {
    WellConditionedCall call{.content = m_call_source.batch(1), .expected = {}};
    call.expected = m_referee.expected(call.content[0]);
    if (m_referee.fair(call.content[0], call.expected)) return call;
  }
  throw HarnessError(
      fmt::format("task {}: torch's own float32 misses the limits on {} random calls in a row",
                  m_conditions.workload.task.name, conditioning_tries));
}

FirstAnswer BatchRunner::first_call(const SubjectSamples& subject, TimedWorker& worker,
                                    const WellConditionedCall& call) const {
  const BatchAnswer answer = run_batch(subject, worker, call.content, 0);
  const OutputCheck found = check(subject, answer.outputs, call.expected);
  if (!found.judgement.passes()) throw Rejection(found.judgement);
  return {.max_calls = answer.max_calls, .took = std::chrono::nanoseconds(answer.clock.wall_ns)};
}

void BatchRunner::estimate_warm(SubjectSamples& subject, const WellConditionedCall& call) const {
  subject.hot_us = estimate_us(subject, call, "hot");
  subject.latency_us = estimate_us(subject, call, "latency");
}

// Returns 0 if there is no estimate. For example, a subject may run out of memory, since it keeps
// some of each call.
double BatchRunner::estimate_us(const SubjectSamples& subject, const WellConditionedCall& call,
                                const char* estimator) const {
  TimedWorker& worker = *subject.run_subject->workers.front();
  try {
    const EstimateAnswer answer = worker.estimate(request(subject, call.content, 0), estimator);
    const bool right = check(subject, answer.outputs, call.expected).judgement.passes();
    return right ? answer.estimate.time_us : 0;
  } catch (const Rejection& rejection) {
    if (!worker.alive() || rejection.judgement().verdict == Verdict::cheat) throw;
    return 0;
  }
}

// A few calls say too little, since the first of a batch is slower than the rest. So each batch
// gives the length of the next one, until one is long enough.
void BatchRunner::calibrate(SubjectSamples& subject) {
  if (subject.pace == Pace::few_calls) {
    subject.max_calls = 1;
    return;
  }
  const double calls_in_time = longest_calibration / subject.first_call;
  subject.calls = std::min({calibration_calls, m_max_calls, subject.max_calls});
  if (calls_in_time < static_cast<double>(subject.calls)) {
    subject.calls = std::max<std::size_t>(1, static_cast<std::size_t>(calls_in_time));
  }
  for (int i = 0; i < max_calibrations; ++i) {
    const std::size_t calls = subject.calls;
    const BatchAnswer answer = run_batch(subject, *subject.run_subject->workers[0],
                                         m_call_source.batch(calls), std::nullopt);
    // Memory that a kernel allocates only in its first call does not count.
    subject.max_calls = std::min(m_max_calls, answer.max_calls);
    if (long_enough(answer)) return;
    subject.calls =
        calls_for(m_options.batch_span, calls, answer.clock.length_ns(), subject.max_calls);
    if (subject.calls <= calls) return;
  }
}

void BatchRunner::begin_rounds() {
  m_start = std::chrono::steady_clock::now();
  m_verified_before = m_referee.time_spent();
}

void BatchRunner::take(SubjectSamples& subject, std::size_t worker, BatchContent& content) {
  if (take_unless_short(subject, worker, content)) return;
  const std::unique_ptr<BatchContent> more = this->content(subject.calls);
  take_unless_short(subject, worker, *more);
}

// Returns false if the batch was too short, which only tells how many calls are needed.
bool BatchRunner::take_unless_short(SubjectSamples& subject, std::size_t worker,
                                    BatchContent& content) {
  const std::size_t calls = subject.calls - m_random.below(subject.calls / spread_of_lengths + 1);
  const std::optional<std::size_t> keep = call_to_verify(subject, worker, calls);
  TimedWorker& process = *subject.run_subject->workers[worker];
  const BatchAnswer answer =
      run_batch(subject, process, std::span(content.calls).first(calls), keep);
  if (keep) verify(subject, worker, answer, content.calls[*keep], content.references[*keep]);
  if (auto found = contradiction(answer.clock, m_options.clock_agreement, m_options.batch_span)) {
    // An interruption cannot make a GPU's clock run ahead of the broker's.
    if (answer.clock.on_gpu && !subject.run_subject->trusted)
      throw Rejection(cheat(CheatClass::timing, *std::move(found)));
    ++subject.dropped;
    confirm(subject, process);
    return true;
  }
  if (answer.clock.gpu && !answer.clock.gpu->throttled.empty()) {
    ++subject.dropped;
    m_throttled = answer.clock.gpu->throttled;
    return true;
  }
  const std::size_t wanted =
      calls_for(m_options.batch_span, calls, answer.clock.length_ns(), subject.max_calls);
  if (!long_enough(answer) && wanted > subject.calls) {
    subject.calls = wanted;
    return false;
  }
  subject.add(worker, answer.clock);
  return true;
}

// In each pair of a subject's comparisons one is of a last call and one of any other, in random
// order. So half of them are of each kind, even if they are few.
std::optional<std::size_t> BatchRunner::call_to_verify(SubjectSamples& subject, std::size_t worker,
                                                       std::size_t calls) {
  if (subject.run_subject->trusted) return std::nullopt;
  const auto spent = m_referee.time_spent() - m_verified_before;
  const bool affordable = spent < m_options.verify_share * elapsed();
  // One of a worker's first batches is verified at any cost. Chance selects it, so that the worker
  // cannot know which.
  const std::size_t done = subject.samples[worker].size();
  const std::size_t left = m_options.min_samples - std::min(m_options.min_samples, done);
  const bool due =
      subject.verified[worker] == 0 && m_random.below(std::max<std::size_t>(left, 1)) == 0;
  if (!due && !affordable) return std::nullopt;
  if (calls == 1) return 0;
  const std::optional<bool> before = std::exchange(subject.half_of_pair, std::nullopt);
  const bool last = before ? !*before : m_random.below(2) == 0;
  if (!before) subject.half_of_pair = last;
  return last ? calls - 1 : m_random.below(calls - 1);
}

void BatchRunner::verify(SubjectSamples& subject, std::size_t worker, const BatchAnswer& answer,
                         const Tensors& content, const std::vector<at::Tensor>& expected) {
  const OutputCheck found = check(subject, answer.outputs, expected);
  if (!found.judgement.passes()) {
    if (m_referee.fair(content, expected)) throw Rejection(found.judgement);
    return;
  }
  ++subject.verified[worker];
  subject.precision.add(found.squares);
  if (auto imprecise = m_referee.imprecise(subject.precision)) {
    throw Rejection(*std::move(imprecise));
  }
}

// An interruption of the machine can break one batch, even of an honest kernel, but a false claim
// breaks every one. In a longer batch an interruption weighs less.
void BatchRunner::confirm(const SubjectSamples& subject, TimedWorker& worker) {
  if (subject.run_subject->trusted) return;
  const std::size_t calls = std::min(4 * subject.calls, subject.max_calls);
  std::string last;
  for (int i = 0; i < m_options.confirmations; ++i) {
    const BatchAnswer answer = run_batch(subject, worker, m_call_source.batch(calls), std::nullopt);
    const auto found = contradiction(answer.clock, m_options.clock_agreement, m_options.batch_span);
    if (!found) return;
    last = *found;
  }
  throw Rejection(cheat(CheatClass::timing,
                        fmt::format("{} batches in a row: {}", 1 + m_options.confirmations, last)));
}

double BatchRunner::single_call_us(const SubjectSamples& subject, std::size_t worker) {
  const BatchAnswer answer = run_batch(subject, *subject.run_subject->workers[worker],
                                       m_call_source.batch(1), std::nullopt);
  return static_cast<double>(answer.clock.net_ns()) / 1e3;
}

BatchRequest BatchRunner::request(const SubjectSamples& subject, std::span<const Tensors> calls,
                                  std::optional<std::size_t> keep) const {
  return {.load = subject.run_subject->load,
          .workload = {*subject.run_subject->task, m_conditions.workload.direction,
                       m_conditions.workload.params},
          .calls = calls,
          .keep = keep};
}

BatchAnswer BatchRunner::run_batch(const SubjectSamples& subject, TimedWorker& worker,
                                   std::span<const Tensors> calls,
                                   std::optional<std::size_t> keep) const {
  BatchAnswer answer = worker.run(request(subject, calls, keep));
  answer.clock.noop_ns = m_conditions.noop.least.of_calls(calls.size());
  answer.clock.max_noop_ns = m_conditions.noop.most.of_calls(calls.size());
  if (m_gpu) answer.clock.gpu = m_gpu->state();
  return answer;
}

OutputCheck BatchRunner::check(const SubjectSamples& subject,
                               const std::vector<at::Tensor>& outputs,
                               const std::vector<at::Tensor>& expected) const {
  const RunSubject& run_subject = *subject.run_subject;
  if (run_subject.trusted) {
    return m_referee.check_baseline(outputs, expected, run_subject.tolerance_scale);
  }
  return m_referee.check(outputs, expected, run_subject.tolerance_scale);
}

bool BatchRunner::long_enough(const BatchAnswer& answer) const {
  const std::chrono::nanoseconds least = m_options.batch_span;
  return answer.clock.length_ns() >= static_cast<std::uint64_t>(least.count());
}

}  // namespace robust_kbench
