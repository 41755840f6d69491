#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/batch.hpp"
#include "core/judgement.hpp"
#include "core/record.hpp"
#include "tensor/output_parts.hpp"
#include "tensor/precision_limits.hpp"
#include "tensor/squared_errors.hpp"
#include "tensor/workload.hpp"
#include <robust_kbench/probe.hpp>

namespace robust_kbench {

// The tensors that one seed makes, with the right results for them.
struct Content {
  Tensors tensors;
  std::vector<at::Tensor> references;  // float64
  OutputParts parts = {};
  double reference_seconds = 0;
};

// Makes typical content, or that of a probe.
Content make_content(const Workload& workload, std::uint64_t seed, c10::Device device = c10::kCPU,
                     std::optional<Probe> probe = {});
// Makes the content of given tensors.
Content make_content(const Workload& workload, Tensors tensors);

// The broker's findings about one call of a kernel.
struct CheckedCall {
  Judgement judgement;
  std::vector<OutputError> errors;     // one for each output that could be compared
  std::vector<SquaredErrors> squares;  // as in check/precision_pool.hpp
  std::vector<at::Tensor> outputs;     // empty if the call did not end
  double kernel_seconds = 0;           // by the broker's clock
  // The kernel threw an exception, and the call left no traces. On the CPU traces in the kernel's
  // own allocations do not matter. On a GPU they show that it had launched something.
  bool is_refusal = false;

  [[nodiscard]] bool passes() const { return judgement.verdict == Verdict::pass; }
  [[nodiscard]] bool is_wrong() const { return judgement.verdict == Verdict::wrong_result; }
};

// Calls the kernel once and judges how the call ended, then its writes, then its outputs. The
// gravest finding decides. A kernel that wrote out of bounds is not asked for results.
CheckedCall check_call(WorkerProcess& worker, Batch& batch, const Contract& contract,
                       const std::vector<PrecisionLimits>& limits, const Content& content,
                       Addresses addresses);

// Calls the kernel on each of `calls` in one batch and judges all of them in the same way. The
// references are stacked: each holds one output of all calls (tensor/stacked_task.hpp). The
// result's outputs are stacked, too, and its squares are summed over all calls. If the last call's
// outputs have wrong attributes or values, the judgement is of that call, and there are no outputs.
CheckedCall check_calls(WorkerProcess& worker, Batch& batch, const Contract& contract,
                        const std::vector<PrecisionLimits>& limits,
                        const std::vector<Tensors>& calls,
                        const std::vector<at::Tensor>& references);

// Repeats a wrong call with the same content at the same addresses. If a later answer is right, the
// verdict becomes `nondeterministic`. If a graver verdict turns up, such as a cheat, that one
// counts. An answer that the kernel has stored stays wrong.
void repeat_wrong_call(WorkerProcess& worker, Batch& batch, const Contract& contract,
                       const std::vector<PrecisionLimits>& limits, const Content& content,
                       CheckedCall& wrong);

}  // namespace robust_kbench
