#pragma once

#include <optional>
#include <string>

#include "ipc/message.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// Why the arguments of a workload do not fit a function's declared parameters, with both
// signatures. Empty where they fit. Converts as pybind does: an integer to a double, never back.
std::optional<std::string> signature_mismatch(const std::string& function, const Workload& workload,
                                              const Loaded& loaded);

}  // namespace robust_kbench
