#pragma once

#include "ipc/arena.hpp"
#include "worker/input_copies.hpp"
#include "worker/kernel_memory.hpp"

namespace robust_kbench {

// Memory in the arena itself, which the broker inspects.
class ArenaMemory : public KernelMemory {
 public:
  explicit ArenaMemory(Arena& arena) : m_arena(arena) {}

  [[nodiscard]] bool on_gpu() const override { return m_arena.on_gpu(); }
  [[nodiscard]] bool is_shared() const override { return true; }
  // The tensor in the arena, or a copy of it where the arena's header asks for one and there is
  // memory for it.
  std::byte* input(std::uint64_t offset, std::size_t bytes, std::size_t element_bytes) override;
  std::byte* allocate(std::size_t bytes) override;
  // Lets the broker reuse the arena's memory. If a live tensor is there, the arena moves to another
  // address, and the tensor keeps a private copy of its memory.
  void release() override;

 private:
  Arena& m_arena;
  InputCopies m_copies;
};

}  // namespace robust_kbench
