#pragma once

#include <optional>
#include <vector>

#include "check/examiner.hpp"
#include "check/kernel_workers.hpp"
#include "core/judgement.hpp"
#include "device/gpu_lock.hpp"

namespace robust_kbench {

// Calls a kernel `options.repeated_calls` times on the smallest config of `cases`, in batches. Each
// call has content of its own, and each is compared. So a kernel is found that errs in a few calls
// of a thousand. On a GPU the smallest config is taken that the kernel does not refuse.
//
// A batch that would probably end after `options.repeated_calls_time` is left out. This counts
// processor time of the broker and time in the kernel's calls. The record's reason then says how
// many calls were made. Adds the calls and their times to `record`. Returns a finding about a call,
// or nullopt.
//
// Then the nonce chooses one of the larger configs whose calls take 4 MiB at most. It is called as
// often as the errors of small outputs need to be judged together (tensor/rms_excess.hpp).
//
// The limits of precision are measured on as much content as a batch has. Among thousands of calls
// some need more precision than three calls show.
std::optional<Judgement> call_repeatedly(const Task& task, Direction direction,
                                         const std::vector<Case>& cases,
                                         const ExamineOptions& options, KernelWorkers& workers,
                                         GpuLock::Use use, CaseRecord& record);

}  // namespace robust_kbench
