#include "bench/together_time.hpp"

#include <algorithm>
#include <vector>

#include "check/batch.hpp"
#include "core/statistics.hpp"
#include "process/affinity.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// The sweeps of so many calls take some milliseconds, in which the noise of this process's clock
// vanishes.
constexpr std::size_t most_calls = 48;
// Calls that take so long together need no more sweeps for that.
constexpr double enough_us = 5000;
// A batch may have so much content, and its calls so much memory. On a GPU memory is plentiful, and
// few calls are noisy.
constexpr std::size_t most_content_bytes = std::size_t{2} << 30;
constexpr std::size_t most_arena_bytes = std::size_t{12} << 30;

// A batch is a sample of the time. Many calls vary little, and a batch of one call varies most.
constexpr std::size_t fewest_batches = 10;
constexpr std::size_t most_batches = 30;
constexpr std::size_t timed_calls = 90;

constexpr int slow_runs = 2;  // the first ones, since the GPU did this process's work before
constexpr int runs_without_calls = 3;

std::size_t arena_bytes_of_a_call(const Workload& workload) {
  return arena_bytes(workload, 2, /*gpu=*/true) - arena_bytes(workload, 1, /*gpu=*/true);
}

double wall_us_of(WorkerProcess& worker, bool with_calls, int broker_cpu) {
  const ScopedAffinity beside_the_worker(broker_cpu);
  return static_cast<double>(answer_of(worker.run_together(with_calls)).wall_ns) / 1e3;
}

}  // namespace

void TogetherTime::add_empty_call(double empty_us) {
  for (double* time : {&us, &low_us, &high_us}) *time += empty_us;
}

std::size_t calls_together(const Workload& workload) {
  const std::size_t by_content =
      most_content_bytes / std::max<std::size_t>(content_bytes(workload), 1);
  const std::size_t by_arena =
      most_arena_bytes / std::max<std::size_t>(arena_bytes_of_a_call(workload), 1);
  return std::clamp<std::size_t>(std::min(by_content, by_arena), 1, most_calls);
}

std::size_t enough_calls(std::size_t most, double us) {
  if (us <= enough_us / static_cast<double>(most)) return most;
  return std::max<std::size_t>(1, static_cast<std::size_t>(enough_us / us));
}

// A process's first graph is slower by a microsecond a call until another graph has run. So the
// batch without calls is timed after the one with calls.
TogetherSample time_batch_together(WorkerProcess& worker, std::size_t calls, int broker_cpu) {
  const bool begins_with_fill = answer_of(worker.prepare_together());
  for (int i = 0; i < slow_runs; ++i) wall_us_of(worker, false, broker_cpu);
  const double with_calls_us = wall_us_of(worker, true, broker_cpu);
  std::vector<double> without_calls_us;
  for (int i = 0; i < runs_without_calls; ++i) {
    without_calls_us.push_back(wall_us_of(worker, false, broker_cpu));
  }
  return {.us = (with_calls_us - median(without_calls_us)) / static_cast<double>(calls),
          .begins_with_fill = begins_with_fill};
}

TogetherTime time_batches(std::size_t calls, const std::function<TogetherSample()>& time_batch) {
  std::vector<double> samples;
  bool begins_with_fill = false;
  while (samples.size() < fewest_batches ||
         (samples.size() < most_batches && samples.size() * calls < timed_calls)) {
    const TogetherSample sample = time_batch();
    samples.push_back(sample.us);
    begins_with_fill = sample.begins_with_fill;
  }
  const Interval interval = median_interval(samples);
  return {.us = median(samples),
          .low_us = interval.low,
          .high_us = interval.high,
          .batches = static_cast<int>(samples.size()),
          .calls = static_cast<int>(calls),
          .begins_with_fill = begins_with_fill};
}

EstimateRecord together_estimate(const std::string& subject, const TogetherTime& time,
                                 const std::string& note) {
  return {.subject = subject,
          .estimator = std::string(replay_estimator),
          .time_us = time.us,
          .calls = time.batches * time.calls,
          .note = fmt::format("{:.2f} to {:.2f} us in {} batches of {}{}", time.low_us,
                              time.high_us, time.batches, time.calls, note)};
}

}  // namespace robust_kbench
