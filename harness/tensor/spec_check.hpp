#pragma once

#include <string>

#include "tensor/workload.hpp"

namespace robust_kbench {

// Throws UserError where no tensor can be made of a spec, with the tensor, its value and the limit:
// a size below 1, of which nothing could be compared, more elements than any machine has memory
// for, or a distribution without values.
void check_spec(const TensorSpec& spec);

// Does so for every tensor of a call, and where dtype_of() throws. The message also names `source`,
// the config's file, and the parameters that the value comes from.
void check_specs(const Workload& workload, const std::string& source);

}  // namespace robust_kbench
