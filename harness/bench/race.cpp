#include "bench/race.hpp"

#include <algorithm>
#include <exception>
#include <future>
#include <map>
#include <numeric>
#include <random>

#include "bench/lane.hpp"
#include "bench/turns.hpp"
#include "core/error.hpp"
#include "core/seed.hpp"
#include "device/gpu_facts.hpp"
#include "device/gpu_peaks.hpp"
#include "tensor/reference.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// A machine on which this does not suffice for the least samples of a config cannot time anything.
constexpr std::chrono::minutes give_up_after{2};

class Race {
 public:
  Race(const std::vector<Racer>& racers, const RaceConditions& conditions)
      : m_options(conditions.options),
        m_conditions(conditions),
        m_task(*racers.front().task),
        m_random(secret_key()),
        m_turns(m_task, conditions) {
    for (const Racer& racer : racers) m_lanes.emplace_back(racer);
  }

  RaceResults run() {
    warm_up();
    for (Lane& lane : m_lanes) guarded(lane, [&] { m_turns.calibrate(lane); });
    m_turns.begin_rounds();
    std::optional<StopReason> stopped_by;
    while (racing() && !stopped_by) {
      run_round();
      const std::optional<UsualExcess> usual = usual_excess(m_lanes);
      for (Lane& lane : m_lanes) {
        lane.account(usual, m_options.clock_agreement);
        guarded(lane, [&] { judge_times(lane, usual); });
      }
      if (!sampled()) {
        if (m_turns.elapsed() > give_up_after) give_up();
        continue;
      }
      stopped_by = exact();
      if (!stopped_by && m_turns.elapsed() >= m_options.cap) stopped_by = StopReason::cap;
    }
    const bool on_gpu = m_conditions.device.is_cuda();
    if (on_gpu && m_options.warm_figures && stopped_by) estimate_warm();
    for (Lane& lane : m_lanes) guarded(lane, [&] { require_no_children(lane); });
    RaceResults results;
    for (const Lane& lane : m_lanes) results.subjects.push_back(lane.result(stopped_by));
    if (m_roofline) results.roofline = {m_roofline->least_us, m_roofline->bound};
    return results;
  }

 private:
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
      if (lane.racer->trusted) throw baseline_failure(lane.racer->name, rejection.what());
      lane.rejection = rejection.judgement();
    }
  }

  void warm_up() {
    const FairCall call = m_turns.fair_call();
    if (m_conditions.device.is_cuda()) find_roofline(call.expected);
    std::map<TimedWorker*, std::vector<Lane*>> lanes_of;
    for (Lane& lane : m_lanes) {
      for (TimedWorker* worker : lane.racer->workers) lanes_of[worker].push_back(&lane);
    }
    // On a GPU a first call loads libraries for a second, and workers need not wait for each other.
    const auto policy = m_conditions.device.is_cuda() ? std::launch::async : std::launch::deferred;
    std::map<TimedWorker*, std::future<std::vector<FirstCall>>> firsts;
    for (const auto& [worker, lanes] : lanes_of) {
      firsts[worker] = std::async(policy, [&, worker = worker, &lanes = lanes] {
        return first_calls(*worker, lanes, call);
      });
    }
    for (auto& [worker, of_worker] : firsts) {
      // Who hangs is waited for once, where nobody has begun on another worker.
      const auto rejected = [](const Lane* lane) { return lane->rejection.has_value(); };
      if (std::all_of(lanes_of[worker].begin(), lanes_of[worker].end(), rejected)) continue;
      for (const FirstCall& first : of_worker.get()) {
        guarded(*first.lane, [&] {
          if (first.failure) std::rethrow_exception(first.failure);
          first.lane->most_calls = first.most_calls;
        });
      }
    }
  }

  struct FirstCall {
    Lane* lane;
    std::exception_ptr failure;
    std::size_t most_calls = 1;
  };

  [[nodiscard]] std::vector<FirstCall> first_calls(TimedWorker& worker,
                                                   const std::vector<Lane*>& lanes,
                                                   const FairCall& call) const {
    std::vector<FirstCall> calls;
    for (Lane* lane : lanes) {
      calls.push_back({.lane = lane, .failure = nullptr});
      try {
        calls.back().most_calls = m_turns.first_call(*lane, worker, call);
      } catch (...) {
        calls.back().failure = std::current_exception();
      }
    }
    return calls;
  }

  void find_roofline(const std::vector<at::Tensor>& expected) {
    const Contract& own = contract(m_task, m_conditions.direction);
    if (!own.cost) return;
    double output_bytes = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::size_t element_bytes = c10::elementSize(own.outputs[i].dtype);
      output_bytes += static_cast<double>(expected[i].numel()) * static_cast<double>(element_bytes);
    }
    m_roofline = roofline(own.cost(m_conditions.params), output_bytes, gpu_peaks(),
                          static_cast<double>(gpu_facts().l2_bytes));
  }

  void run_round() {
    for (const std::size_t worker : shuffled(m_lanes.front().samples.size())) {
      std::size_t calls = 0;
      for (const Lane& lane : m_lanes) calls = std::max(calls, lane.calls);
      SharedContent content = m_turns.content(calls);
      for (const std::size_t i : shuffled(m_lanes.size())) {
        guarded(m_lanes[i], [&] { m_turns.take(m_lanes[i], worker, content); });
      }
    }
  }

  void judge_times(const Lane& lane, const std::optional<UsualExcess>& usual) const {
    if (lane.racer->trusted) return;
    if (auto found = false_spans(lane, usual, m_options.clock_agreement)) {
      throw Rejection(*std::move(found));
    }
    if (!m_roofline) return;
    if (auto found = impossible_time(lane, *m_roofline)) throw Rejection(*std::move(found));
  }

  void estimate_warm() {
    const FairCall call = m_turns.fair_call();
    for (Lane& lane : m_lanes) guarded(lane, [&] { m_turns.estimate_warm(lane, call); });
  }

  static void require_no_children(const Lane& lane) {
    if (lane.racer->trusted) return;
    for (TimedWorker* worker : lane.racer->workers) worker->require_no_children();
  }

  std::vector<std::size_t> shuffled(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), m_random);
    return order;
  }

  [[nodiscard]] bool sampled() const {
    return std::all_of(m_lanes.begin(), m_lanes.end(), [this](const Lane& lane) {
      return lane.rejection || lane.sampled(m_options.least_samples);
    });
  }

  // Why more rounds are of no use; none while they are.
  [[nodiscard]] std::optional<StopReason> exact() const {
    StopReason reason = StopReason::interval;
    for (const Lane& lane : m_lanes) {
      if (lane.rejection || lane.narrow(m_options.target_interval)) continue;
      if (!lane.settled()) return std::nullopt;
      reason = StopReason::workers;
    }
    return reason;
  }

  void give_up() const {
    int dropped = 0;
    for (const Lane& lane : m_lanes) dropped += lane.dropped;
    throw HarnessError(fmt::format(
        "{} timed batches were interrupted in {:.1f} s and too few were left; is the machine "
        "busy{}?",
        dropped, m_turns.elapsed().count(),
        m_turns.throttled().empty() ? "" : ", or the GPU hot: " + m_turns.throttled()));
  }

  const BenchOptions& m_options;
  const RaceConditions& m_conditions;
  const Task& m_task;
  std::mt19937_64 m_random;
  Turns m_turns;
  std::vector<Lane> m_lanes;
  std::optional<Roofline> m_roofline;  // on a GPU
};

}  // namespace

RaceResults race(const std::vector<Racer>& racers, const RaceConditions& conditions) {
  return Race(racers, conditions).run();
}

}  // namespace robust_kbench
