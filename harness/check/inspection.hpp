#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "broker/worker_process.hpp"
#include "core/case.hpp"
#include "core/judgement.hpp"
#include "device/gpu_lock.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// How the calls of an inspected kernel ended before their time, and in which case.
struct InspectionEnd {
  std::string case_name;
  Judgement judgement;
};

// Calls a CUDA kernel on each case, twice, in one worker that runs under `worker.tool`: a sanitizer
// sees both calls, a profiler the second. What the tool has seen stands where its arguments say,
// complete when this returns. Outputs are compared with nothing. Returns early where a call fails.
// `use`: of the GPU, which a tool that times wants alone. Claims the memory that it takes there.
std::optional<InspectionEnd> inspect(const Task& task, const Entry& entry,
                                     const std::string& library, const std::vector<Case>& cases,
                                     WorkerOptions worker, GpuLock::Use use);

// What one call of a CUDA kernel on a case makes the GPU do, while nothing else of ours runs there.
// Claims the memory that it takes.
std::variant<Trace, InspectionEnd> trace(const Task& task, const Entry& entry,
                                         const std::string& library, const Case& traced,
                                         WorkerOptions worker);

}  // namespace robust_kbench
