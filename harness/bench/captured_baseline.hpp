#pragma once

#include "bench/timed_subject.hpp"
#include "check/limits_cache.hpp"
#include "core/timing_record.hpp"
#include "ipc/message.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// A baseline of a GPU whose calls can be captured, as `load` asks for (bench/baseline.hpp).
struct CapturedBaseline {
  const TimedSubject& subject;
  const Load& load;
  const Workload& workload;  // the config that the kernels are timed on
  const OutputLimits& limits;
  std::size_t batch_bytes;  // the most content of a batch
};

// Times it by calls that are one work of the GPU, as replays of kernels are timed. Torch may be
// unable to capture the calls, what it captured may be wrong, and memory may be short. Then the
// record has no time, and its note says why. The caller has the GPU alone.
EstimateRecord time_captured(const CapturedBaseline& baseline);

}  // namespace robust_kbench
