#pragma once

#include <cstddef>
#include <cstdint>

namespace robust_kbench {

// The memory for a kernel's tensors. Any thread may allocate.
class KernelMemory {
 public:
  virtual ~KernelMemory() = default;

  [[nodiscard]] virtual bool on_gpu() const = 0;
  // True if the broker inspects this memory.
  [[nodiscard]] virtual bool is_shared() const = 0;
  // The memory of the tensor of `bytes` that the broker has put at `offset` of the arena. Its
  // elements have `element_bytes`.
  virtual std::byte* input(std::uint64_t offset, std::size_t bytes, std::size_t element_bytes) = 0;
  // Returns nullptr if there is no room.
  virtual std::byte* allocate(std::size_t bytes) = 0;
  // Frees all memory but that of live tensors. Call it between batches, when only tensors that the
  // kernel itself keeps are alive. A workspace in a static variable keeps its address and content.
  virtual void release() = 0;
};

}  // namespace robust_kbench
