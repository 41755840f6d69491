#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace robust_kbench {

// What the outputs of a call hold in some places, which follow from the key. Taken by the worker as
// soon as the call returns and by the broker when it looks: a kernel that returned before its work
// was done may have done it in between.
std::uint64_t witness(const std::vector<std::span<const std::byte>>& outputs, std::uint64_t key);

}  // namespace robust_kbench
