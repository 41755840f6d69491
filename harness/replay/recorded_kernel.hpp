#pragma once

#include <cstdint>
#include <string>

#include "bench/call_source.hpp"
#include "broker/worker_process.hpp"
#include "core/case.hpp"
#include "core/descriptor.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// A built CUDA kernel that is to be recorded.
struct KernelToRecord {
  const Task& task;
  Entry entry;
  std::string library;
  // The worker that tests the kernel: rkb_worker, sandbox, entry point, limits.
  WorkerOptions worker;
};

// The result of an attempt to record a kernel on one config.
struct RecordedKernel {
  std::string not_replayed;         // why no other process can repeat it; empty if one can
  std::uint64_t cleared_bytes = 0;  // Recording::cleared_bytes
};

// An empty file in memory for a recording. Throws HarnessError.
Descriptor make_recording_file();

// Calls the kernel three times in a worker of its own, which ends before this returns. The
// recording goes to `file`. A kernel that fails there, or whose recording cannot be read, is not
// replayable. Throws HarnessError.
RecordedKernel record_kernel(const KernelToRecord& kernel, const Workload& workload,
                             CallSource& calls, int file);

}  // namespace robust_kbench
