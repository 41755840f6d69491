#pragma once

#include "ipc/arena.hpp"
#include "worker/kernel_memory.hpp"

namespace robust_kbench {

// The arena itself, which the broker looks at.
class ArenaMemory : public KernelMemory {
 public:
  explicit ArenaMemory(Arena& arena) : m_arena(arena) {}

  [[nodiscard]] bool on_gpu() const override { return m_arena.on_gpu(); }
  [[nodiscard]] bool is_shared() const override { return true; }
  std::byte* input(std::uint64_t offset, std::size_t bytes) override;
  std::byte* allocate(std::size_t bytes) override;
  // Where a tensor lies in the arena, whose memory the broker gives out again, the arena moves
  // elsewhere and the tensor's memory becomes the process's own.
  void release() override;

 private:
  Arena& m_arena;
};

}  // namespace robust_kbench
