#pragma once

#include <vector>

#include "core/judgement.hpp"
#include "core/record.hpp"
#include "tensor/precision_limits.hpp"
#include "tensor/squared_errors.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The result of comparing the outputs of one call.
struct OutputCheck {
  Judgement judgement;                 // `pass` if every element is within the limits
  std::vector<OutputError> errors;     // one for each output that could be compared
  std::vector<SquaredErrors> squares;  // one for each output, in their order
};

// Compares the outputs of one call with the reference: first their count, then each output.
// `references` are float64. check/precision_pool.hpp judges precision over many elements.
OutputCheck check_outputs(const Contract& contract, const std::vector<PrecisionLimits>& limits,
                          const std::vector<at::Tensor>& outputs,
                          const std::vector<at::Tensor>& references);

}  // namespace robust_kbench
