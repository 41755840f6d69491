#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/placement.hpp"
#include "core/judgement.hpp"

namespace robust_kbench {

// The memory that a kernel was given in a batch, by the arena's log. The log is believed only where
// it is sane.
struct AllocationLog {
  std::vector<Allocation> allocations;  // ascending, disjoint, within the arena
  std::uint64_t poisoned_until = 0;     // everything up to here and not allocated must be poison
  std::optional<Judgement> broken;      // set where the log contradicts itself
};

// Reads the log and the header, which the worker could write, once. `poisoned_until` is how far the
// broker knows that it has poisoned.
AllocationLog read_log(const Arena& arena, const Placement& placement,
                       std::uint64_t poisoned_until);

}  // namespace robust_kbench
