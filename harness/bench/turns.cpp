#include "bench/turns.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/seed.hpp"
#include "process/affinity.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// Bounds the memory of a batch's messages; calls of a microsecond still make a batch long enough.
constexpr std::size_t most_calls = 8192;
constexpr std::size_t calibration_calls = 8;
constexpr int most_calibrations = 4;
// A kernel that puts calls off until it can do several at once must not know which call is the
// last: batches vary in length by one call in so many, and what is compared is the last call but
// for one time in four.
constexpr std::size_t spread_of_lengths = 8;
constexpr std::size_t any_call_in = 4;
constexpr int fair_tries = 10;

}  // namespace

Turns::Turns(const Task& task, const RaceConditions& conditions)
    : m_task(task.name),
      m_options(conditions.options),
      m_conditions(conditions),
      m_random(secret_key()),
      m_contents(task, conditions.direction, conditions.params, secret_key(), conditions.device),
      m_referee(task, conditions.direction, conditions.params),
      m_most_calls(std::clamp<std::size_t>(m_options.batch_bytes / m_contents.bytes_per_call(), 1,
                                           most_calls)) {
  if (!conditions.device.is_cuda()) return;
  const ScopedAffinity beside_timing(cpus_beside_timing());
  m_gpu.emplace();
}

FairCall Turns::fair_call() {
  for (int tries = 0; tries < fair_tries; ++tries) {
    FairCall call{.content = m_contents.batch(1), .expected = {}};
    call.expected = m_referee.expected(call.content[0]);
    if (m_referee.fair(call.content[0], call.expected)) return call;
  }
  throw HarnessError(fmt::format(
      "task {}: torch's own float32 misses the tolerances on {} random contents in a row", m_task,
      fair_tries));
}

std::size_t Turns::first_call(const Lane& lane, TimedWorker& worker, const FairCall& call) const {
  const BatchAnswer answer = run_batch(lane, worker, call.content, 0);
  if (auto wrong = judge(lane, answer.outputs, call.expected)) throw Rejection(*std::move(wrong));
  return answer.most_calls;
}

void Turns::estimate_warm(Lane& lane, const FairCall& call) const {
  lane.hot_us = estimate_us(lane, call, "hot");
  lane.latency_us = estimate_us(lane, call, "latency");
}

// 0 where there is none: a subject may keep something of each call until it has no memory, say.
double Turns::estimate_us(const Lane& lane, const FairCall& call, const char* estimator) const {
  TimedWorker& worker = *lane.racer->workers.front();
  try {
    const EstimateAnswer answer = worker.estimate(request(lane, call.content, 0), estimator);
    return judge(lane, answer.outputs, call.expected) ? 0 : answer.estimate.time_us;
  } catch (const Rejection& rejection) {
    if (!worker.alive() || rejection.judgement().verdict == Verdict::cheat) throw;
    return 0;
  }
}

// A few calls say too little, since the first of a batch is slower than the rest; so each batch
// says how long the next should be, until one is long enough.
void Turns::calibrate(Lane& lane) {
  lane.calls = std::min({calibration_calls, m_most_calls, lane.most_calls});
  for (int i = 0; i < most_calibrations; ++i) {
    const std::size_t calls = lane.calls;
    const BatchAnswer answer =
        run_batch(lane, *lane.racer->workers[0], m_contents.batch(calls), std::nullopt);
    // What a kernel takes in its first call only does not count.
    lane.most_calls = std::min(m_most_calls, answer.most_calls);
    if (long_enough(answer)) return;
    lane.calls = calls_for(m_options.batch_span, calls, answer.clock.length_ns(), lane.most_calls);
    if (lane.calls <= calls) return;
  }
}

void Turns::begin_rounds() {
  m_start = std::chrono::steady_clock::now();
  m_verified_before = m_referee.time_spent();
}

void Turns::take(Lane& lane, std::size_t worker, SharedContent& content) {
  if (take_unless_short(lane, worker, content)) return;
  SharedContent more = this->content(lane.calls);
  take_unless_short(lane, worker, more);
}

// False where the batch was too short: that only teaches how many calls it takes.
bool Turns::take_unless_short(Lane& lane, std::size_t worker, SharedContent& content) {
  const std::size_t calls = lane.calls - random_below(lane.calls / spread_of_lengths + 1);
  const std::optional<std::size_t> keep = call_to_verify(lane, worker, calls);
  TimedWorker& process = *lane.racer->workers[worker];
  const BatchAnswer answer = run_batch(lane, process, std::span(content.calls).first(calls), keep);
  if (keep) verify(lane, worker, answer, content.calls[*keep], content.references[*keep]);
  if (auto found = contradiction(answer.clock, m_options.clock_agreement, m_options.batch_span)) {
    // No interruption makes a GPU's clock run ahead of the broker's.
    if (answer.clock.on_gpu && !lane.racer->trusted)
      throw Rejection(cheat(CheatClass::timing, *std::move(found)));
    ++lane.dropped;
    confirm(lane, process);
    return true;
  }
  if (answer.clock.gpu && !answer.clock.gpu->throttled.empty()) {
    ++lane.dropped;
    m_throttled = answer.clock.gpu->throttled;
    return true;
  }
  const std::size_t wanted =
      calls_for(m_options.batch_span, calls, answer.clock.length_ns(), lane.most_calls);
  if (!long_enough(answer) && wanted > lane.calls) {
    lane.calls = wanted;
    return false;
  }
  lane.add(worker, answer.clock);
  return true;
}

std::optional<std::size_t> Turns::call_to_verify(const Lane& lane, std::size_t worker,
                                                 std::size_t calls) {
  if (lane.racer->trusted) return std::nullopt;
  const auto spent = m_referee.time_spent() - m_verified_before;
  const bool affordable = spent < m_options.verify_share * elapsed();
  // Which one of its first batches is verified whatever it takes, no worker can know.
  const std::size_t done = lane.samples[worker].size();
  const std::size_t left = m_options.least_samples - std::min(m_options.least_samples, done);
  const bool due = lane.verified[worker] == 0 && random_below(std::max<std::size_t>(left, 1)) == 0;
  if (!due && !affordable) return std::nullopt;
  return random_below(any_call_in) == 0 ? random_below(calls) : calls - 1;
}

void Turns::verify(Lane& lane, std::size_t worker, const BatchAnswer& answer,
                   const Tensors& content, const std::vector<at::Tensor>& expected) {
  if (auto wrong = judge(lane, answer.outputs, expected)) {
    if (m_referee.fair(content, expected)) throw Rejection(*std::move(wrong));
    return;
  }
  ++lane.verified[worker];
}

// An interrupted machine can break one batch, even of an honest kernel; a false claim breaks every
// one, and the longer the batch, the less an interruption weighs.
void Turns::confirm(const Lane& lane, TimedWorker& worker) {
  if (lane.racer->trusted) return;
  const std::size_t calls = std::min(4 * lane.calls, lane.most_calls);
  std::string last;
  for (int i = 0; i < m_options.confirmations; ++i) {
    const BatchAnswer answer = run_batch(lane, worker, m_contents.batch(calls), std::nullopt);
    const auto found = contradiction(answer.clock, m_options.clock_agreement, m_options.batch_span);
    if (!found) return;
    last = *found;
  }
  throw Rejection(cheat(CheatClass::timing,
                        fmt::format("{} batches in a row: {}", 1 + m_options.confirmations, last)));
}

BatchRequest Turns::request(const Lane& lane, std::span<const Tensors> calls,
                            std::optional<std::size_t> keep) const {
  return {.load = lane.racer->load,
          .task = *lane.racer->task,
          .direction = m_conditions.direction,
          .params = m_conditions.params,
          .calls = calls,
          .keep = keep};
}

BatchAnswer Turns::run_batch(const Lane& lane, TimedWorker& worker, std::span<const Tensors> calls,
                             std::optional<std::size_t> keep) const {
  BatchAnswer answer = worker.run(request(lane, calls, keep));
  answer.clock.noop_ns = m_conditions.noop.least.of_calls(calls.size());
  answer.clock.most_noop_ns = m_conditions.noop.most.of_calls(calls.size());
  if (m_gpu) answer.clock.gpu = m_gpu->state();
  return answer;
}

// Nothing where outputs are not compared.
std::optional<Judgement> Turns::judge(const Lane& lane, std::vector<at::Tensor> outputs,
                                      const std::vector<at::Tensor>& expected) const {
  if (lane.racer->slack == 0) return std::nullopt;
  if (lane.racer->trusted) {
    // Torch may return a transposed view, which its callers take as it is.
    for (at::Tensor& output : outputs) output = output.contiguous();
  }
  return m_referee.judge(outputs, expected, lane.racer->slack);
}

bool Turns::long_enough(const BatchAnswer& answer) const {
  const std::chrono::nanoseconds least = m_options.batch_span;
  return answer.clock.length_ns() >= static_cast<std::uint64_t>(least.count());
}

std::size_t Turns::random_below(std::size_t count) {
  return std::uniform_int_distribution<std::size_t>(0, count - 1)(m_random);
}

}  // namespace robust_kbench
