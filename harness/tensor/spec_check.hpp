#pragma once

#include <string>

#include "tensor/workload.hpp"

namespace robust_kbench {

// Throws UserError where no tensor can be made of a spec, with the tensor, its value and the limit.
// That is a size below 1, which leaves nothing to compare, or too many elements for any machine's
// memory. It is also a distribution without values.
void check_spec(const TensorSpec& spec);

// Checks every tensor of a call in this way, and its dtype_of(). The message also names `source`,
// the config's file, and the parameters that the value comes from.
void check_specs(const Workload& workload, const std::string& source);

}  // namespace robust_kbench
