#pragma once

#include <string>
#include <vector>

namespace robust_kbench {

// Advice for nvcc errors about missing operators or conversions of __half, __half2 or
// __nv_bfloat16. Empty if no flag of its command switches them off, as flags of torch's extension
// builds do.
std::string half_operator_advice(const std::string& compiler_output,
                                 const std::vector<std::string>& flags);

}  // namespace robust_kbench
