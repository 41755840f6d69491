#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "ipc/arena.hpp"

namespace robust_kbench {

// Copies of inputs in pages of their own, at places that show what a kernel takes for granted.
class InputCopies {
 public:
  InputCopies();
  ~InputCopies();
  InputCopies(const InputCopies&) = delete;
  InputCopies& operator=(const InputCopies&) = delete;

  // Copies an input of the arena. A copy before unmapped memory begins at a multiple of the arena's
  // alignment. So fewer bytes than that lie between its end and the unmapped page. A shift is
  // rounded up to whole elements. Throws HarnessError if the memory is lacking.
  std::byte* add(const Arena& arena, std::uint64_t offset, std::size_t bytes,
                 std::size_t element_bytes, InputPlace place);
  // Frees all copies but those in use.
  void forget(const std::function<bool(std::span<const std::byte>)>& is_used);

 private:
  class Block;
  std::vector<std::unique_ptr<Block>> m_blocks;
};

}  // namespace robust_kbench
