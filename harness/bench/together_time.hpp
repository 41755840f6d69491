#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "broker/worker_process.hpp"
#include "core/timing_record.hpp"
#include "tensor/workload.hpp"

// Times calls that are one work of a GPU, each behind a sweep of its cache, by this process's
// clock. Replays and baselines are timed so, by the same sweeps and the same number of batches.
namespace robust_kbench {

// The time of one call, in microseconds.
struct TogetherTime {
  double us = 0;  // the median over batches
  double low_us = 0;
  double high_us = 0;  // a 99.9 % interval of the median
  int batches = 0;
  int calls = 0;  // of each batch

  // What is measured is the time beyond an empty call. With the time of that by events it compares
  // with times by events.
  void add_empty_call(double empty_us);
};

// The number of calls of a batch. It is smaller where calls are large. The second is the part of
// `most` that is enough where a call takes about so long.
std::size_t calls_together(const Workload& workload);
std::size_t enough_calls(std::size_t most, double us_of_a_call);

// Runs the worker's batch, which was prepared. Returns what one of its calls adds to the sweeps
// beyond an empty call, in microseconds. A batch runs once. Throws Rejection where the worker
// fails.
double time_batch_together(WorkerProcess& worker, std::size_t calls);

// Calls `time_batch` for as many batches of `calls` calls as a median needs.
TogetherTime time_batches(std::size_t calls, const std::function<double()>& time_batch);

inline constexpr std::string_view replay_estimator = "replay";

// The record of such a time. `note` follows what it says of the interval.
EstimateRecord together_estimate(const std::string& subject, const TogetherTime& time,
                                 const std::string& note = "");

}  // namespace robust_kbench
