#include "runner/estimators.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/statistics.hpp"
#include "device/cuda_activities.hpp"
#include "device/cuda_driver.hpp"
#include "device/cuda_sweep.hpp"
#include "runner/warm_estimate.hpp"

namespace robust_kbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int warm_up_calls = 25;
constexpr int event_calls = 2000;
// The limit ends the 2000 calls early, which would take half a minute with several milliseconds
// each.
constexpr std::chrono::seconds max_time{4};
constexpr double do_bench_us = 100'000;
constexpr std::size_t do_bench_flush_bytes = std::size_t{256} << 20;
constexpr double autorange_us = 200'000;
constexpr double autorange_overhead = 1e-4;
constexpr int activity_calls = 100;
constexpr int graph_launches = 1000;

double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

void wait() {
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.synchronize(), "cuCtxSynchronize");
}

// A pair of events on the default stream.
class EventPair {
 public:
  EventPair() {
    for (void*& event : m_events) {
      m_driver.check(m_driver.create_event(&event, 0), "cuEventCreate");
    }
  }
  void start(void* stream = nullptr) const { record(0, stream); }
  void stop(void* stream = nullptr) const { record(1, stream); }
  [[nodiscard]] double span_us() const {
    float milliseconds = 0;
    m_driver.check(m_driver.elapsed_time(&milliseconds, m_events[0], m_events[1]),
                   "cuEventElapsedTime");
    return 1e3 * static_cast<double>(milliseconds);
  }

 private:
  void record(std::size_t which, void* stream) const {
    m_driver.check(m_driver.record_event(m_events.at(which), stream), "cuEventRecord");
  }

  const CudaDriver& m_driver = cuda_driver();
  std::array<void*, 2> m_events{};
};

Estimate by_events(const RepeatableCall& repeatable) {
  for (int i = 0; i < warm_up_calls; ++i) repeatable.call();
  wait();
  const EventPair events;
  const auto start = Clock::now();
  double sum_us = 0;
  int calls = 0;
  while (calls < event_calls && Clock::now() - start < max_time) {
    events.start();
    repeatable.call();
    events.stop();
    wait();
    sum_us += events.span_us();
    ++calls;
  }
  return {.time_us = sum_us / calls,
          .calls = calls,
          .note = calls < event_calls ? "stopped after 4 s" : ""};
}

class Flush {
 public:
  Flush() { m_driver.check(m_driver.allocate(&m_memory, do_bench_flush_bytes), "cuMemAlloc"); }
  ~Flush() { m_driver.free(m_memory); }
  Flush(const Flush&) = delete;
  Flush& operator=(const Flush&) = delete;
  void run() const {
    m_driver.check(m_driver.set_bytes_async(m_memory, 0, do_bench_flush_bytes, nullptr),
                   "cuMemsetD8Async");
  }

 private:
  const CudaDriver& m_driver = cuda_driver();
  CudaDriver::Address m_memory = 0;
};

Estimate by_do_bench(const RepeatableCall& repeatable) {
  constexpr int trial_calls = 5;
  const Flush flush;
  repeatable.call();
  wait();
  const EventPair trial;
  trial.start();
  for (int i = 0; i < trial_calls; ++i) {
    flush.run();
    repeatable.call();
  }
  trial.stop();
  wait();
  const auto calls = std::max<std::size_t>(
      1, static_cast<std::size_t>(do_bench_us * trial_calls / trial.span_us()));
  std::vector<EventPair> events(calls);
  for (const EventPair& pair : events) {
    flush.run();
    pair.start();
    repeatable.call();
    pair.stop();
  }
  wait();
  std::vector<double> spans(calls);
  std::transform(events.begin(), events.end(), spans.begin(),
                 [](const EventPair& pair) { return pair.span_us(); });
  return {.time_us = median(spans), .calls = static_cast<int>(calls), .note = ""};
}

double block_us(const RepeatableCall& repeatable, int calls) {
  wait();
  const auto start = Clock::now();
  for (int i = 0; i < calls; ++i) repeatable.call();
  wait();
  return microseconds_since(start);
}

Estimate by_autorange(const RepeatableCall& repeatable) {
  std::vector<double> nothing(5);
  for (double& us : nothing) us = block_us(repeatable, 0);
  const double overhead_us = median(nothing);
  int calls = 1;
  while (true) {
    const double us = block_us(repeatable, calls);
    const bool overhead_is_small =
        overhead_us / us <= autorange_overhead && us >= autorange_us / 1000;
    if (overhead_is_small || us > autorange_us) break;
    calls *= 10;
  }
  std::vector<double> times;
  for (double total = 0; total < autorange_us;) {
    const double us = block_us(repeatable, calls);
    total += us;
    times.push_back(us / calls);
  }
  return {.time_us = median(times),
          .calls = calls * static_cast<int>(times.size()),
          .note = "blocks of " + std::to_string(calls)};
}

Estimate by_cupti(const RepeatableCall& repeatable) {
  CudaActivities activities;
  if (!activities.missing().empty()) return {.note = activities.missing()};
  const CudaSweep sweep;
  repeatable.call();
  wait();
  std::vector<double> times;
  std::size_t records = 0;
  for (int i = 0; i < activity_calls; ++i) {
    sweep.run();
    wait();
    activities.forget();
    repeatable.call();
    wait();
    double sum_us = 0;
    const std::vector<CudaActivity> recorded = activities.recorded();
    for (const CudaActivity& activity : recorded) sum_us += activity.microseconds();
    times.push_back(sum_us);
    records = recorded.size();
  }
  return {
      .time_us = median(times),
      .calls = activity_calls,
      .note = std::to_string(records) + (records == 1 ? " activity" : " activities") + " a call"};
}

Estimate by_graph(const RepeatableCall& repeatable) {
  const CudaDriver& driver = cuda_driver();
  void* stream = nullptr;
  driver.check(driver.create_stream(&stream, CudaDriver::non_blocking_stream, 0),
               "cuStreamCreateWithPriority");
  if (!repeatable.use_stream(stream)) return {.note = "this subject keeps to its own stream"};
  repeatable.call();  // libraries set themselves up at their first call, which cannot be captured
  wait();
  driver.check(driver.begin_capture(stream, CudaDriver::relaxed_capture), "cuStreamBeginCapture");
  repeatable.call();
  CudaDriver::Graph graph = nullptr;
  const int captured = driver.end_capture(stream, &graph);
  wait();
  if (captured != 0) return {.note = "cannot be captured: " + driver.describe(captured)};
  std::size_t nodes = 0;
  driver.check(driver.get_graph_nodes(graph, nullptr, &nodes), "cuGraphGetNodes");
  if (nodes == 0) {
    return {.note = "the capture records nothing: the call does not use the current stream"};
  }
  CudaDriver::Graph executable = nullptr;
  driver.check(driver.instantiate_graph(&executable, graph, 0), "cuGraphInstantiateWithFlags");
  const auto launch = [&] {
    driver.check(driver.launch_graph(executable, stream), "cuGraphLaunch");
  };
  for (int i = 0; i < warm_up_calls; ++i) launch();
  const EventPair events;
  const auto start = Clock::now();
  int launches = 0;
  events.start(stream);
  while (launches < graph_launches && Clock::now() - start < max_time) {
    launch();
    ++launches;
  }
  events.stop(stream);
  wait();
  return {.time_us = events.span_us() / launches,
          .calls = launches,
          .note = std::to_string(nodes) + (nodes == 1 ? " node" : " nodes")};
}

constexpr std::array<std::pair<std::string_view, Estimate (*)(const RepeatableCall&)>, 7>
    estimators{{
        {"hot", estimate_hot},
        {"latency", estimate_latency},
        {"events", by_events},
        {"do_bench", by_do_bench},
        {"autorange", by_autorange},
        {"cupti", by_cupti},
        {"graph", by_graph},
    }};
static_assert(std::ranges::equal(estimators, estimator_names, {},
                                 [](const auto& estimator) { return estimator.first; }),
              "there is an estimator of each name");

}  // namespace

Estimate estimate(const std::string& estimator, const RepeatableCall& call) {
  for (const auto& [name, run] : estimators) {
    if (estimator == name) return run(call);
  }
  throw HarnessError("estimator '" + estimator + "' is unknown");
}

}  // namespace robust_kbench
