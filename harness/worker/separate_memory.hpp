#pragma once

#include <mutex>
#include <vector>

#include "ipc/arena.hpp"
#include "worker/kernel_memory.hpp"

namespace robust_kbench {

// Each tensor is a separate allocation on GPU 0, of exactly its bytes and without poison. So a
// sanitizer detects each access beyond it, and each read of an unwritten byte. The arena is on the
// host.
class SeparateMemory : public KernelMemory {
 public:
  explicit SeparateMemory(const Arena& arena) : m_arena(arena) {}

  [[nodiscard]] bool on_gpu() const override { return true; }
  [[nodiscard]] bool is_shared() const override { return false; }
  // A copy of the tensor at `offset` of the arena.
  std::byte* input(std::uint64_t offset, std::size_t bytes, std::size_t element_bytes) override;
  std::byte* allocate(std::size_t bytes) override;
  void release() override;

 private:
  struct Block {
    std::byte* data;
    std::size_t bytes;
  };

  const Arena& m_arena;
  std::mutex m_mutex;
  std::vector<Block> m_blocks;
};

}  // namespace robust_kbench
