#pragma once

#include <cstdint>
#include <optional>

namespace robust_kbench {

// The greatest prime from `low` to `high`, or nullopt if none lies there.
std::optional<std::int64_t> greatest_prime(std::int64_t low, std::int64_t high);

}  // namespace robust_kbench
