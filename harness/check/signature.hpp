#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ipc/message.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// Why the arguments of a task do not fit a function's declared parameters, with both signatures.
// Empty where they fit. Converts as pybind does: an integer to a double, never back.
std::optional<std::string> signature_mismatch(const std::string& function,
                                              const std::vector<Argument>& arguments,
                                              const Params& params, const Loaded& loaded);

}  // namespace robust_kbench
