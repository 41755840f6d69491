#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "check/finding.hpp"
#include "check/guards.hpp"
#include "ipc/call.hpp"

namespace robust_kbench {

// A call of a batch that returns something else than the one that is compared, `kept`: other
// shapes, memory that it was not given where the kept call's was, or memory of another call's
// outputs. So a call that is not compared cannot hand out what it has not made.
std::optional<Finding> unlike_kept_call(const Given& given, const std::vector<CallResult>& calls,
                                        std::size_t kept);

}  // namespace robust_kbench
