#pragma once

#include <cstddef>
#include <cstdint>

namespace robust_kbench {

// Where a kernel's tensors lie. Any thread may allocate.
class KernelMemory {
 public:
  virtual ~KernelMemory() = default;

  [[nodiscard]] virtual bool on_gpu() const = 0;
  // True if the broker inspects this memory.
  [[nodiscard]] virtual bool is_shared() const = 0;
  // The tensor of `bytes` that the broker has put at `offset` of the arena.
  virtual std::byte* input(std::uint64_t offset, std::size_t bytes) = 0;
  // nullptr where there is no room.
  virtual std::byte* allocate(std::size_t bytes) = 0;
  // Call it between batches, when only what the kernel itself keeps is alive. A workspace in a
  // static variable, say, keeps its address and content.
  virtual void release() = 0;
};

}  // namespace robust_kbench
