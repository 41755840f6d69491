#pragma once

#include <cstdint>
#include <vector>

#include "core/byte_range.hpp"
#include "ipc/arena.hpp"

#include <ATen/core/Tensor.h>

namespace robust_kbench {

constexpr std::uint64_t word_bytes = 8;

// A mask of the bits of the arena's 64-bit word `word` that lie in `range`. They must overlap.
std::uint64_t mask_of(std::uint64_t word, const ByteRange& range);

// The device on which the arena's tensors are.
c10::Device device_of(const Arena& arena);

// The arena's bytes [offset, offset + bytes) as a tensor of bytes that shares their memory.
at::Tensor bytes_at(const Arena& arena, std::uint64_t offset, std::uint64_t bytes);

// The arena's 64-bit words at `indices`, as a tensor on the CPU.
at::Tensor words_at(const Arena& arena, const std::vector<std::int64_t>& indices);

// Tells for each of the arena's 64-bit words at `indices` whether it is `expected` in the bits of
// its mask. The result is a bool tensor on the arena's device.
at::Tensor words_equal(const Arena& arena, const std::vector<std::int64_t>& indices,
                       const std::vector<std::int64_t>& masks, std::uint64_t expected);

// True if both tensors, on one device, begin with the same `nbytes` bytes in memory.
bool same_bytes(const at::Tensor& a, const at::Tensor& b);

}  // namespace robust_kbench
