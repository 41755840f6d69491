#include "worker/arena_memory.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/error.hpp"
#include "runner/allocate.hpp"
#include "worker/tensor.hpp"

namespace robust_kbench {
namespace {

bool lies_in(const std::byte* storage, const std::byte* memory, std::size_t bytes) {
  return storage >= memory && storage < memory + bytes;
}

// The logged allocation that contains `offset`. Inputs are not in the log, so for an input it is
// the range that the tensor itself covers.
Allocation memory_of(const Arena& arena, const WorkerTensor& tensor, std::uint64_t offset) {
  const auto log =
      arena.log().first(std::min<std::size_t>(arena.log().size(), arena.header().allocation_count));
  const auto after = std::upper_bound(
      log.begin(), log.end(), offset,
      [](std::uint64_t value, const Allocation& allocation) { return value < allocation.offset; });
  if (after != log.begin()) {
    const Allocation& allocation = *std::prev(after);
    if (offset < allocation.offset + allocation.bytes) return allocation;
  }
  const auto rank = static_cast<std::size_t>(tensor.dim);
  const std::size_t bytes =
      layout_bytes(
          {.sizes = {tensor.sizes, rank}, .strides = {tensor.strides, rank}, .dtype = tensor.dtype})
          .value_or(0);
  const auto* data = static_cast<const std::byte*>(tensor.data);
  return {.offset = offset, .bytes = static_cast<std::uint64_t>(data - tensor.storage) + bytes};
}

}  // namespace

std::byte* ArenaMemory::input(std::uint64_t offset, std::size_t bytes, std::size_t element_bytes) {
  const InputPlace place = m_arena.header().input_place;
  if (place.in_arena()) return m_arena.data() + offset;
  try {
    return m_copies.add(m_arena, offset, bytes, element_bytes, place);
  } catch (const HarnessError&) {  // the machine lacks memory, which says nothing of the kernel
    return m_arena.data() + offset;
  }
}

std::byte* ArenaMemory::allocate(std::size_t bytes) {
  return static_cast<std::byte*>(arena_allocate(m_arena, bytes));
}

void ArenaMemory::release() {
  const std::vector<const WorkerTensor*> live = live_tensors();
  m_arena.forget_kept([&](std::span<const std::byte> kept) {
    return std::any_of(live.begin(), live.end(), [&](const WorkerTensor* tensor) {
      return lies_in(tensor->storage, kept.data(), kept.size());
    });
  });
  m_copies.forget([&](std::span<const std::byte> copy) {
    return std::any_of(live.begin(), live.end(), [&](const WorkerTensor* tensor) {
      return lies_in(tensor->storage, copy.data(), copy.size());
    });
  });
  std::vector<Allocation> of_kernel;
  std::vector<Allocation> of_inputs;
  for (const WorkerTensor* tensor : live) {
    const std::byte* storage = tensor->storage;
    const bool allocated = lies_in(storage, m_arena.kernel_data(), m_arena.size());
    if (!allocated && !lies_in(storage, m_arena.data(), m_arena.size())) continue;
    const std::byte* base = allocated ? m_arena.kernel_data() : m_arena.data();
    (allocated ? of_kernel : of_inputs)
        .push_back(memory_of(m_arena, *tensor, static_cast<std::uint64_t>(storage - base)));
  }
  const auto ascending = [](std::vector<Allocation>& all) -> const std::vector<Allocation>& {
    std::sort(all.begin(), all.end(),
              [](const Allocation& a, const Allocation& b) { return a.offset < b.offset; });
    return all;
  };
  if (!of_kernel.empty()) m_arena.keep_of_kernel(ascending(of_kernel));
  if (!of_inputs.empty()) m_arena.keep_of_inputs(ascending(of_inputs));
}

}  // namespace robust_kbench
