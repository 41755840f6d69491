#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/finding.hpp"
#include "check/guards.hpp"
#include "ipc/call.hpp"

namespace robust_kbench {

// A call of a batch that did not do its work: an output of its own that is still poison, as memory
// is when it is handed out. Looks at two words of each, by a few operators over the whole batch;
// `key` says which. What the worker says of `calls` is not believed: outputs that are not in memory
// that the kernel was given are left to whoever compares them.
std::optional<Finding> unwritten_output(const Arena& arena, const Given& given,
                                        const std::vector<CallResult>& calls, std::uint64_t poison,
                                        std::uint64_t key);

}  // namespace robust_kbench
