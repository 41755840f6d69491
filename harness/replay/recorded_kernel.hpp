#pragma once

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

// A recording of the kernel on one config.
struct RecordedKernel {
  Descriptor file;           // of the recording
  std::string not_replayed;  // why no other process can repeat it; empty if one can
};

// Calls the kernel three times in a worker of its own, which ends before this returns. A kernel
// that fails there, or whose recording cannot be read, is not replayable. Throws HarnessError.
RecordedKernel record_kernel(const KernelToRecord& kernel, const Workload& workload,
                             CallSource& calls);

}  // namespace robust_kbench
