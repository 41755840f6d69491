#pragma once

#include <optional>
#include <string>

#include "ipc/message.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// Says why the arguments of a workload do not fit a function's declared parameters, with both
// signatures. Empty if they fit. Conversions are pybind's: an integer becomes a double, never the
// reverse.
std::optional<std::string> signature_mismatch(const std::string& function, const Workload& workload,
                                              const Loaded& loaded);

}  // namespace robust_kbench
