#pragma once

#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "ipc/arena.hpp"

#include <c10/core/Allocator.h>

namespace robust_kbench {

// Gives torch the memory that a kernel gets: the arena, between `begin_batch` and `end_batch`. A
// block that torch frees within a batch serves its next request of the same size, as in a caching
// allocator. So a batch with more temporaries than the arena holds still runs. A full arena falls
// back to the heap. Outside a batch all memory comes from the heap, so that what torch keeps for
// good never lies in memory that the broker takes back.
class ArenaAllocator final : public c10::Allocator {
 public:
  // The one allocator of the process. It replaces c10's CPU allocator for good.
  static ArenaAllocator& install(Arena& arena);

  void begin_batch();
  // Throws HarnessError if a tensor of the batch is still alive, since the next batch gets its
  // memory.
  void end_batch();

  c10::DataPtr allocate(std::size_t bytes) override;
  [[nodiscard]] c10::DeleterFnPtr raw_deleter() const override;
  void copy_data(void* to, const void* from, std::size_t bytes) const override;

 private:
  explicit ArenaAllocator(Arena& arena) : m_arena(arena) {}
  void* take(std::size_t bytes);
  void give_back(void* data);
  static void delete_block(void* data);

  Arena& m_arena;
  std::mutex m_mutex;
  bool m_in_batch = false;
  std::size_t m_live = 0;  // blocks of this batch that torch holds
  std::unordered_map<std::size_t, std::vector<void*>> m_free;  // blocks of this batch by size
};

}  // namespace robust_kbench
