#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/batch.hpp"
#include "core/judgement.hpp"
#include "core/record.hpp"
#include "tensor/precision_limits.hpp"
#include "tensor/squared_errors.hpp"
#include "tensor/workload.hpp"
#include <robust_kbench/probe.hpp>

namespace robust_kbench {

// The tensors that one seed decides, and what a kernel should make of them.
struct Content {
  Tensors tensors;
  std::vector<at::Tensor> references;  // float64
  double reference_seconds = 0;
};

// Typical content, or that of a probe.
Content make_content(const Workload& workload, std::uint64_t seed, c10::Device device = c10::kCPU,
                     std::optional<Probe> probe = {});
// The content of given tensors.
Content make_content(const Workload& workload, Tensors tensors);

// One call of a kernel with everything that the broker can see of it.
struct CheckedCall {
  Judgement judgement;
  std::vector<OutputError> errors;     // of each output that could be compared
  std::vector<SquaredErrors> squares;  // of every output that was compared, in their order
  std::vector<at::Tensor> outputs;     // empty where the call did not come to its end
  double kernel_seconds = 0;           // by the broker's clock
  // An exception of the kernel's own, of a call that left no trace. On the CPU traces in memory
  // that the kernel was given do not matter. On a GPU they tell that it had launched something.
  bool is_refusal = false;

  [[nodiscard]] bool passes() const { return judgement.verdict == Verdict::pass; }
  [[nodiscard]] bool is_wrong() const { return judgement.verdict == Verdict::wrong_result; }
};

// Calls the kernel once and judges how the call ended, then its writes, then its outputs. The
// gravest finding wins. A kernel that wrote out of bounds is not asked for results.
CheckedCall check_call(WorkerProcess& worker, Batch& batch, const Contract& contract,
                       const std::vector<PrecisionLimits>& limits, const Content& content,
                       Addresses addresses);

// Calls the kernel on each of `calls` in one batch and judges all of them in the same way. The
// references are stacked, one of all calls for each output (tensor/stacked_task.hpp). So are the
// outputs of the result, which sums the squares over all calls. Where the last call's outputs have
// wrong attributes or values, the judgement is of that call, and there are no outputs.
CheckedCall check_calls(WorkerProcess& worker, Batch& batch, const Contract& contract,
                        const std::vector<PrecisionLimits>& limits,
                        const std::vector<Tensors>& calls,
                        const std::vector<at::Tensor>& references);

// Repeats a wrong call with the same content at the same addresses. If a later answer is right, the
// verdict becomes `nondeterministic`. If a graver verdict turns up, such as a cheat, it takes that.
// An answer that the kernel remembers stays wrong.
void repeat_wrong_call(WorkerProcess& worker, Batch& batch, const Contract& contract,
                       const std::vector<PrecisionLimits>& limits, const Content& content,
                       CheckedCall& wrong);

}  // namespace robust_kbench
