#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "broker/worker_process.hpp"
#include "core/case.hpp"
#include "core/judgement.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// What other work may go on while a kernel is inspected.
enum class InspectionLock {
  exclusive,  // tests, and during the calls nothing: for a tool that times
  shared,     // tests, but no timing
  // Tests all the time, and timing except during the calls. The caller may hold claims of memory.
  // So this waits for none, and throws OutOfGpuMemory where not enough is free.
  of_calls,
};

// How the calls of an inspected kernel ended early, and in which case.
struct InspectionEnd {
  std::string case_name;
  Judgement judgement;
};

// Calls a CUDA kernel on each case, twice, in one worker that runs under `worker.tool`. A sanitizer
// sees both calls, a profiler the second. The tool's log, which its arguments name, is complete
// when this returns. Outputs are not compared. Returns early where a call fails. Claims the GPU
// memory that it takes.
std::optional<InspectionEnd> inspect(const Task& task, const Entry& entry,
                                     const std::string& library, const std::vector<Case>& cases,
                                     WorkerOptions worker, InspectionLock lock);

// Traces what one call of a CUDA kernel on a case makes the GPU do, while nothing else of ours runs
// there. Claims the GPU memory that it takes.
std::variant<Trace, InspectionEnd> trace(const Task& task, const Entry& entry,
                                         const std::string& library, const Case& traced,
                                         WorkerOptions worker);

}  // namespace robust_kbench
