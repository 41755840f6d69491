#pragma once

#include <vector>

#include "core/judgement.hpp"
#include "core/record.hpp"
#include "tensor/output_parts.hpp"
#include "tensor/precision_limits.hpp"
#include "tensor/squared_errors.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The result of comparing the outputs of one call.
struct OutputCheck {
  Judgement judgement;                 // `pass` if every element is within the limits
  std::vector<OutputError> errors;     // one for each output that could be compared
  std::vector<SquaredErrors> squares;  // as in check/precision_pool.hpp
};

// Compares the outputs of one call with the reference: first their count, then each output.
// `references` are float64. Where the limits have parts, so must `parts`. check/precision_pool.hpp
// judges precision over many elements.
OutputCheck check_outputs(const Contract& contract, const std::vector<PrecisionLimits>& limits,
                          const std::vector<at::Tensor>& outputs,
                          const std::vector<at::Tensor>& references, const OutputParts& parts = {});

}  // namespace robust_kbench
