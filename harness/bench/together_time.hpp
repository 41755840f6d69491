#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "broker/worker_process.hpp"
#include "core/timing_record.hpp"
#include "tensor/workload.hpp"

// Times calls that are one work of a GPU, each behind a sweep of its cache, by this process's
// clock. Replays and baselines are timed so.
namespace robust_kbench {

// The time of one call, as one batch measured it.
struct TogetherSample {
  double us = 0;                  // beyond an empty call
  bool begins_with_fill = false;  // of memory, as an empty call does then
};

// The time of one call, in microseconds, beyond an empty call.
struct TogetherTime {
  double us = 0;  // the median over batches
  double low_us = 0;
  double high_us = 0;  // a 99.9 % interval of the median
  int batches = 0;
  int calls = 0;  // of each batch
  bool begins_with_fill = false;

  // With the time of an empty call by events it compares with times by events.
  void add_empty_call(double empty_us);
};

// The number of calls of a batch. It is smaller where calls are large.
std::size_t calls_together(const Workload& workload);

// The number of calls, at most `most`, that are enough where one takes `us` microseconds.
std::size_t enough_calls(std::size_t most, double us);

// Runs the worker's batch, which was prepared. A batch runs once. This process waits on
// `broker_cpu`, where the worker waits, too. One of the two is always asleep, so neither waits for
// an idle CPU to wake up. Throws Rejection where the worker fails.
TogetherSample time_batch_together(WorkerProcess& worker, std::size_t calls, int broker_cpu);

// Calls `time_batch` for as many batches of `calls` calls as a median needs.
TogetherTime time_batches(std::size_t calls, const std::function<TogetherSample()>& time_batch);

// The record of such a time. `note` follows what it says of the interval.
EstimateRecord together_estimate(const std::string& subject, const TogetherTime& time,
                                 const std::string& note = "");

}  // namespace robust_kbench
