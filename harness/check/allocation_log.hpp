#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/placement.hpp"
#include "core/judgement.hpp"

namespace robust_kbench {

// The memory that a kernel was given in a batch, by the arena's log. The log is believed only if it
// does not contradict itself.
struct AllocationLog {
  std::vector<Allocation> allocations;  // ascending, disjoint, within the arena
  std::uint64_t poisoned_until = 0;     // all below this that is not allocated must be poison
  std::optional<Judgement> broken;      // set where the log contradicts itself
};

// Reads the log and the header once, since the worker could write to them. `poisoned_until` is the
// end of the memory that the broker knows it has poisoned.
AllocationLog read_log(const Arena& arena, const Placement& placement,
                       std::uint64_t poisoned_until);

}  // namespace robust_kbench
