#include "runner/allocate.hpp"

#include <algorithm>
#include <mutex>

namespace robust_kbench {

void* arena_allocate(Arena& arena, std::size_t bytes) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);

  ArenaHeader& header = arena.header();
  const std::uint64_t begin = align_up(header.cursor, arena.alignment());
  if (bytes > arena.size() || begin > arena.size() - bytes) return nullptr;
  const std::uint64_t end = align_up(begin + bytes, arena.alignment()) + arena.guard_bytes();
  if (end > arena.size() || header.allocation_count >= arena.log().size()) return nullptr;

  if (end > header.poisoned_until) {
    const std::uint64_t until =
        std::min<std::uint64_t>(end + poison_ahead_bytes, arena.size() / 8 * 8);
    arena.poison(header.poisoned_until, until, header.poison);
    arena.synchronize();  // a kernel may have streams of its own
    header.poisoned_until = until;
  }
  arena.log()[header.allocation_count++] = {.offset = begin, .bytes = bytes};
  header.cursor = end;
  return arena.kernel_data() + begin;
}

}  // namespace robust_kbench
