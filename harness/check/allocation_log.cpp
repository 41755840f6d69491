#include "check/allocation_log.hpp"

#include <algorithm>
#include <string>

namespace robust_kbench {

AllocationLog read_log(const Arena& arena, const Placement& placement,
                       std::uint64_t poisoned_until) {
  const ArenaHeader header = arena.header();
  AllocationLog read{.poisoned_until = std::max(poisoned_until, header.poisoned_until)};
  const auto broken = [&](const std::string& what) {
    read.allocations.clear();
    read.broken = cheat(CheatClass::out_of_bounds_write,
                        "the kernel wrote to the allocator's own memory: " + what);
    return read;
  };
  if (header.allocation_count > arena.log().size() || read.poisoned_until > arena.size()) {
    return broken("its counters are beyond the arena");
  }
  const auto log = arena.log().first(header.allocation_count);
  read.allocations.assign(log.begin(), log.end());
  std::sort(read.allocations.begin(), read.allocations.end(),
            [](const Allocation& a, const Allocation& b) { return a.offset < b.offset; });
  std::uint64_t next = placement.kernel_begin;
  for (const Allocation& allocation : read.allocations) {
    const bool inside = allocation.offset >= next && allocation.offset <= arena.size() &&
                        allocation.bytes <= arena.size() - allocation.offset &&
                        allocation.offset % arena.alignment() == 0;
    if (!inside) return broken("its log holds what it never wrote there");
    next = allocation.offset + allocation.bytes;
  }
  return read;
}

}  // namespace robust_kbench
