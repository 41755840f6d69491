#pragma once

#include <vector>

#include "core/judgement.hpp"
#include "core/record.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The result of comparing the outputs of one call.
struct OutputCheck {
  Judgement judgement;              // `pass` where all are within tolerance
  std::vector<OutputError> errors;  // of each output that could be compared
};

// Compares the outputs of one call with the reference: first their count, then each output.
// `references` are float64.
OutputCheck check_outputs(const Contract& contract, const std::vector<at::Tensor>& outputs,
                          const std::vector<at::Tensor>& references);

}  // namespace robust_kbench
