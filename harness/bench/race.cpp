#include "bench/race.hpp"

#include <algorithm>
#include <future>
#include <numeric>
#include <random>
#include <span>

#include "bench/contents.hpp"
#include "bench/lane.hpp"
#include "bench/referee.hpp"
#include "core/error.hpp"
#include "core/seed.hpp"
#include "device/gpu_facts.hpp"
#include "device/gpu_peaks.hpp"
#include "tensor/reference.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

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
// A machine on which this does not suffice for the least samples of a config cannot time anything.
constexpr std::chrono::minutes give_up_after{2};

class Race {
 public:
  Race(const std::vector<Racer>& racers, const RaceConditions& conditions)
      : m_options(conditions.options),
        m_conditions(conditions),
        m_random(secret_key()),
        m_contents(*racers.front().task, conditions.direction, conditions.params, secret_key(),
                   conditions.device),
        m_referee(*racers.front().task, conditions.direction, conditions.params) {
    m_most_calls =
        std::clamp<std::size_t>(m_options.batch_bytes / m_contents.bytes_per_call(), 1, most_calls);
    for (const Racer& racer : racers) m_lanes.emplace_back(racer);
  }

  std::vector<RaceResult> run() {
    warm_up();
    for (Lane& lane : m_lanes) guarded(lane, [&] { calibrate(lane); });
    std::string stopped_by;
    while (racing() && stopped_by.empty()) {
      run_round();
      for (Lane& lane : m_lanes) guarded(lane, [&] { judge_times(lane); });
      if (!sampled()) {
        if (elapsed() > give_up_after) give_up();
        continue;
      }
      stopped_by = exact();
      if (stopped_by.empty() && elapsed() >= m_options.cap) stopped_by = "cap";
    }
    std::vector<RaceResult> results;
    for (const Lane& lane : m_lanes) {
      results.push_back(
          lane.result(stopped_by, hidden_us(lane, m_lanes, m_options.clock_agreement)));
      if (!m_roofline || results.back().timing.samples == 0) continue;
      results.back().timing.roofline_us = m_roofline->least_us;
      results.back().timing.roofline = m_roofline->bound;
    }
    return results;
  }

 private:
  [[nodiscard]] Seconds elapsed() const { return Clock::now() - m_start; }

  // Someone untrusted is still in the race.
  [[nodiscard]] bool racing() const {
    return std::any_of(m_lanes.begin(), m_lanes.end(),
                       [](const Lane& lane) { return !lane.racer->trusted && !lane.rejection; });
  }

  // An untrusted subject's failure ends its race; a trusted one's ends everything.
  template <typename Step>
  void guarded(Lane& lane, Step step) {
    if (lane.rejection) return;
    try {
      step();
    } catch (const Rejection& rejection) {
      if (lane.racer->trusted) {
        throw HarnessError("baseline " + lane.racer->name + ": " + rejection.what());
      }
      lane.rejection = rejection.finding();
    }
  }

  // Every worker's first call is verified and not timed.
  void warm_up() {
    std::vector<Tensors> calls = m_contents.batch(1);
    std::vector<at::Tensor> expected = m_referee.expected(calls[0]);
    for (int tries = 1; !m_referee.fair(calls[0], expected); ++tries) {
      if (tries == fair_tries) {
        throw HarnessError(fmt::format(
            "task {}: torch's own float32 misses the tolerances on {} random contents in a row",
            m_lanes.front().racer->task->name, tries));
      }
      calls = m_contents.batch(1);
      expected = m_referee.expected(calls[0]);
    }
    if (m_conditions.device.is_cuda()) find_roofline(expected);
    // On a GPU a first call loads libraries for a second, and workers need not wait for each other.
    const auto policy = m_conditions.device.is_cuda() ? std::launch::async : std::launch::deferred;
    std::vector<std::pair<Lane*, std::future<void>>> firsts;
    for (Lane& lane : m_lanes) {
      for (TimedWorker* worker : lane.racer->workers) {
        firsts.emplace_back(&lane, std::async(policy, [&, worker] {
          const BatchAnswer answer = run_batch(lane, *worker, calls, 0);
          if (lane.racer->slack == 0) return;
          auto wrong = judge(lane, answer, expected);
          if (wrong) throw Rejection(*std::move(wrong));
        }));
      }
    }
    for (auto& [lane, first] : firsts) guarded(*lane, [&first = first] { first.get(); });
  }

  void find_roofline(const std::vector<at::Tensor>& expected) {
    const Contract& own = contract(*m_lanes.front().racer->task, m_conditions.direction);
    if (!own.cost) return;
    double output_bytes = 0;
    for (const at::Tensor& output : expected) {
      output_bytes += static_cast<double>(output.numel()) * sizeof(float);
    }
    m_roofline = roofline(own.cost(m_conditions.params), output_bytes, gpu_peaks(),
                          static_cast<double>(gpu_facts().l2_bytes));
  }

  // A few calls say too little, since the first of a batch is slower than the rest; so each batch
  // says how long the next should be, until one is long enough.
  void calibrate(Lane& lane) {
    lane.calls = std::min(calibration_calls, m_most_calls);
    for (int i = 0; i < most_calibrations; ++i) {
      const std::size_t calls = lane.calls;
      const BatchAnswer answer =
          run_batch(lane, *lane.racer->workers[0], m_contents.batch(calls), std::nullopt);
      if (answer.clock.length_ns() >= least_length_ns()) return;
      lane.calls = calls_for(m_options.batch_span, calls, answer.clock.length_ns(), m_most_calls);
      if (lane.calls <= calls) return;
    }
  }

  void run_round() {
    for (const std::size_t worker : shuffled(m_lanes.front().samples.size())) {
      std::size_t calls = 0;
      for (const Lane& lane : m_lanes) calls = std::max(calls, lane.calls);
      const std::vector<Tensors> contents = m_contents.batch(calls);
      BatchReferences references(m_referee, contents);
      for (const std::size_t i : shuffled(m_lanes.size())) {
        guarded(m_lanes[i], [&] {
          if (run_turn(m_lanes[i], worker, contents, references)) return;
          const std::vector<Tensors> more = m_contents.batch(m_lanes[i].calls);
          BatchReferences more_references(m_referee, more);
          run_turn(m_lanes[i], worker, more, more_references);
        });
      }
    }
  }

  // One timed batch of one worker. False where it was too short: that only teaches how many calls
  // it takes.
  bool run_turn(Lane& lane, std::size_t worker, const std::vector<Tensors>& contents,
                BatchReferences& references) {
    const std::size_t calls = lane.calls - random_below(lane.calls / spread_of_lengths + 1);
    std::optional<std::size_t> keep;
    const bool affordable = m_referee.time_spent() < m_options.verify_share * elapsed();
    if (!lane.racer->trusted && (lane.verified[worker] == 0 || affordable)) {
      keep = random_below(any_call_in) == 0 ? random_below(calls) : calls - 1;
    }
    TimedWorker& process = *lane.racer->workers[worker];
    const BatchAnswer answer = run_batch(lane, process, std::span(contents).first(calls), keep);
    if (keep) verify(lane, worker, answer, contents[*keep], references[*keep]);
    if (contradiction(answer.clock, m_options.clock_agreement, m_options.batch_span)) {
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
        calls_for(m_options.batch_span, calls, answer.clock.length_ns(), m_most_calls);
    if (answer.clock.length_ns() < least_length_ns() && wanted > lane.calls) {
      lane.calls = wanted;
      return false;
    }
    lane.add(worker, answer.clock);
    return true;
  }

  // An interrupted machine can break one batch, even of an honest kernel; a false claim breaks
  // every one, and the longer the batch, the less an interruption weighs.
  void confirm(const Lane& lane, TimedWorker& worker) {
    if (lane.racer->trusted) return;
    const std::size_t calls = std::min(4 * lane.calls, m_most_calls);
    std::string last;
    for (int i = 0; i < m_options.confirmations; ++i) {
      const BatchAnswer answer = run_batch(lane, worker, m_contents.batch(calls), std::nullopt);
      const auto found =
          contradiction(answer.clock, m_options.clock_agreement, m_options.batch_span);
      if (!found) return;
      last = *found;
    }
    throw Rejection(
        {.verdict = Verdict::cheat,
         .cheat_class = CheatClass::timing,
         .message = fmt::format("{} batches in a row: {}", 1 + m_options.confirmations, last)});
  }

  void judge_times(const Lane& lane) const {
    if (lane.racer->trusted) return;
    if (auto found = false_spans(lane, m_lanes, m_options.clock_agreement)) {
      throw Rejection(*std::move(found));
    }
    if (!m_roofline) return;
    if (auto found = impossible_time(lane, *m_roofline)) throw Rejection(*std::move(found));
  }

  BatchAnswer run_batch(const Lane& lane, TimedWorker& worker, std::span<const Tensors> calls,
                        std::optional<std::size_t> keep) {
    BatchAnswer answer = worker.run({.task = *lane.racer->task,
                                     .direction = m_conditions.direction,
                                     .params = m_conditions.params,
                                     .calls = calls,
                                     .keep = keep,
                                     .inspect = !lane.racer->trusted});
    answer.clock.noop_ns = m_conditions.noop.of_calls(calls.size());
    answer.clock.most_noop_ns = m_conditions.noop.most.of_calls(calls.size());
    return answer;
  }

  [[nodiscard]] std::optional<Finding> judge(const Lane& lane, const BatchAnswer& answer,
                                             const std::vector<at::Tensor>& expected) const {
    std::vector<at::Tensor> outputs = answer.outputs;
    if (lane.racer->trusted) {
      // Torch may return a transposed view, which its callers take as it is.
      for (at::Tensor& output : outputs) output = output.contiguous();
    }
    return m_referee.judge(outputs, expected, lane.racer->slack);
  }

  // Of a timed call.
  void verify(Lane& lane, std::size_t worker, const BatchAnswer& answer, const Tensors& content,
              const std::vector<at::Tensor>& expected) {
    if (auto wrong = judge(lane, answer, expected)) {
      if (m_referee.fair(content, expected)) throw Rejection(*std::move(wrong));
      return;
    }
    ++lane.verified[worker];
  }

  std::size_t random_below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(m_random);
  }

  std::vector<std::size_t> shuffled(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), m_random);
    return order;
  }

  [[nodiscard]] std::uint64_t least_length_ns() const {
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(m_options.batch_span).count());
  }

  [[nodiscard]] bool sampled() const {
    return std::all_of(m_lanes.begin(), m_lanes.end(),
                       [](const Lane& lane) { return lane.rejection || lane.sampled(); });
  }

  // Why more rounds are of no use; empty while they are.
  [[nodiscard]] std::string exact() const {
    std::string reason = "interval";
    for (const Lane& lane : m_lanes) {
      if (lane.rejection || lane.narrow(m_options.target_interval)) continue;
      if (!lane.settled()) return {};
      reason = "workers";
    }
    return reason;
  }

  void give_up() const {
    int dropped = 0;
    for (const Lane& lane : m_lanes) dropped += lane.dropped;
    throw HarnessError(fmt::format(
        "{} timed batches were interrupted in {:.1f} s and too few were left; is the machine "
        "busy{}?",
        dropped, elapsed().count(), m_throttled.empty() ? "" : ", or the GPU hot: " + m_throttled));
  }

  const BenchOptions& m_options;
  const RaceConditions& m_conditions;
  const Clock::time_point m_start = Clock::now();
  std::mt19937_64 m_random;
  Contents m_contents;
  Referee m_referee;
  std::size_t m_most_calls = 1;
  std::vector<Lane> m_lanes;
  std::optional<Roofline> m_roofline;  // on a GPU
  std::string m_throttled;             // why the GPU was, if ever
};

}  // namespace

std::vector<RaceResult> race(const std::vector<Racer>& racers, const RaceConditions& conditions) {
  return Race(racers, conditions).run();
}

}  // namespace robust_kbench
