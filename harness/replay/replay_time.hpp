#pragma once

#include <cstddef>

#include "bench/call_source.hpp"
#include "bench/referee.hpp"
#include "bench/together_time.hpp"
#include "broker/worker_process.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// The time of one call in a replay, in microseconds.
struct ReplayTime {
  TogetherTime by_clock;
  double events_us = 0;  // by the replayer's events, for comparison only
};

// Times a replayer that has loaded a recording, by batches of at most `calls` calls. There are
// fewer where memory allows fewer, or where a call takes so long in the kernel's own process,
// `own_us`, that they are enough. The content of each call is new. The outputs of all calls are
// compared with the reference. Where calls are large those of some are, which the replayer cannot
// know. Throws Rejection for wrong outputs and for findings of the detectors.
ReplayTime time_replay(WorkerProcess& replayer, const Workload& workload, CallSource& source,
                       Referee& referee, std::size_t calls, double own_us);

}  // namespace robust_kbench
