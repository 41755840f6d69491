#pragma once

#include <cstddef>

#include "bench/call_source.hpp"
#include "bench/referee.hpp"
#include "broker/worker_process.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// The time of one call in a replay, in microseconds. By this process's clock it is that beyond an
// empty kernel.
struct ReplayTime {
  double us = 0;  // by this process's clock: the median over batches
  double low_us = 0;
  double high_us = 0;    // a 99.9 % interval of the median
  double events_us = 0;  // by the replayer's events, for comparison only
  int batches = 0;
  int calls = 0;  // of each batch
  // Whether a call begins with a fill. After a sweep a GPU takes 2 us longer to begin with one than
  // with a kernel. Events hardly count that, and this process's clock does.
  bool begins_with_fill = false;
};

// Times a replayer that has loaded a recording, by batches of `calls` calls, or of as many as its
// memory allows. The content of each call is new. The outputs of all calls are compared with the
// reference. Where calls are large those of some are, which the replayer cannot know. Throws
// Rejection for wrong outputs and for findings of the detectors.
ReplayTime time_replay(WorkerProcess& replayer, const Workload& workload, CallSource& source,
                       Referee& referee, std::size_t calls);

}  // namespace robust_kbench
