#pragma once

#include <cstdint>
#include <vector>

#include "core/byte_range.hpp"
#include "ipc/arena.hpp"

#include <ATen/core/Tensor.h>

namespace robust_kbench {

constexpr std::uint64_t word_bytes = 8;

// Which bits of the arena's 64-bit word `word`, which overlaps `range`, lie in it.
std::uint64_t mask_of(std::uint64_t word, const ByteRange& range);

// The device of the arena's tensors.
c10::Device device_of(const Arena& arena);

// The arena's bytes [offset, offset + bytes) as a tensor of bytes, where they are.
at::Tensor bytes_at(const Arena& arena, std::uint64_t offset, std::uint64_t bytes);

// The arena's 64-bit words at `indices`, as a tensor on the CPU.
at::Tensor words_at(const Arena& arena, const std::vector<std::int64_t>& indices);

// Which of the arena's 64-bit words at `indices` are `expected` in the bits of their `masks`: a
// tensor of bool, where the arena's tensors are.
at::Tensor words_equal(const Arena& arena, const std::vector<std::int64_t>& indices,
                       const std::vector<std::int64_t>& masks, std::uint64_t expected);

// True where both tensors, of one device, begin with the same `nbytes` bytes in memory.
bool same_bytes(const at::Tensor& a, const at::Tensor& b);

}  // namespace robust_kbench
