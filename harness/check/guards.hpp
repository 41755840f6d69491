#pragma once

#include <optional>
#include <vector>

#include "check/finding.hpp"
#include "check/placement.hpp"

namespace robust_kbench {

// What the kernel was given in a batch, from the allocation log: believed only where it is sane.
struct Given {
  std::vector<Allocation> allocations;  // ascending, disjoint, within the arena
  std::uint64_t poisoned_until = 0;     // everything up to here and not allocated must be poison
  std::optional<Finding> broken;        // set where the log contradicts itself
};

// Reads the log and the header, which the worker could write, once. `poisoned_until` is the
// broker's own word for how far it has poisoned.
Given read_log(const Arena& arena, const Placement& placement, std::uint64_t poisoned_until);

// The first input tensor that is no longer what it was.
std::optional<Finding> changed_input(const Arena& arena, const Placement& placement);

// The first byte outside of inputs and allocations that is no longer poison.
std::optional<Finding> write_out_of_bounds(const Arena& arena, const Placement& placement,
                                           const Given& given, std::uint64_t poison);

}  // namespace robust_kbench
