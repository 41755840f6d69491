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

// The other work that may go on while a kernel is inspected.
enum class InspectionLock {
  exclusive,  // tests, but nothing during the calls: for a tool that times
  shared,     // tests, but no timing
  // Tests may always go on, and timing except during the calls. The caller has claimed the memory.
  of_calls,
};

// The case in which the calls of an inspected kernel ended early, and the reason.
struct InspectionEnd {
  std::string case_name;
  Judgement judgement;
};

// Calls a CUDA kernel on each case, twice, in one worker that runs under `worker.tool`. A sanitizer
// sees both calls, a profiler the second. The tool's log, which its arguments name, is complete
// when this returns. Outputs are not compared. Returns early if a call fails. Claims the GPU memory
// that it takes, except with InspectionLock::of_calls.
std::optional<InspectionEnd> inspect(const Task& task, const Entry& entry,
                                     const std::string& library, const std::vector<Case>& cases,
                                     WorkerOptions worker, InspectionLock lock);

// The GPU memory that inspect() takes for the largest of these configs.
std::size_t inspection_bytes(const Task& task, Direction direction,
                             const std::vector<Config>& configs);

// Traces the GPU's work in one call of a CUDA kernel on a case, while nothing else of the harness
// runs there. Claims the GPU memory that it takes.
std::variant<Trace, InspectionEnd> trace(const Task& task, const Entry& entry,
                                         const std::string& library, const Case& traced,
                                         WorkerOptions worker);

}  // namespace robust_kbench
