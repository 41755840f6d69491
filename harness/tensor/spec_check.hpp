#pragma once

#include <string>

#include "tensor/workload.hpp"

namespace robust_kbench {

// Throws UserError if no tensor can be made of a spec, with the tensor, its value and the limit.
// Reasons are a size below 1, more elements than any machine's memory holds, or a distribution
// without values.
void check_spec(const TensorSpec& spec);

// Checks every tensor of a call in this way, and its dtype. The message also names `source`, which
// is the config's file, and the parameters that the value comes from.
void check_specs(const Workload& workload, const std::string& source);

}  // namespace robust_kbench
