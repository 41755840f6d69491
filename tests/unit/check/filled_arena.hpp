#pragma once

#include <vector>

#include "adding_task.hpp"
#include "check/detect/batch_evidence.hpp"
#include "check/placement.hpp"
#include "runner/allocate.hpp"
#include "tensor/generator.hpp"

namespace robust_kbench {

// An arena with one call of the adding task, as a worker gets it.
struct FilledArena {
  static constexpr std::uint64_t poison = poison_word(7);

  Task task = adding_task();
  Arena arena = Arena::create(8 << 20);
  Placement placement = place(
      arena, {task, Direction::forward, task.defaults},
      std::vector{make_tensors({task, Direction::forward, task.defaults}, 1)}, CipherStream(1));

  FilledArena() { fill(0); }

  void fill(std::uint64_t kernel_bytes) {
    poison_around(arena, placement, poison, kernel_bytes);
    write_inputs(arena, placement);
  }

  std::uint64_t allocate(std::size_t bytes) {
    auto* memory = static_cast<std::byte*>(arena_allocate(arena, bytes));
    return static_cast<std::uint64_t>(memory - arena.data());
  }

  [[nodiscard]] AllocationLog log() const {
    return read_log(arena, placement, arena.header().poisoned_until);
  }

  // The evidence of a batch whose calls returned `calls`. The last call is kept.
  [[nodiscard]] BatchEvidence evidence(const std::vector<CallResult>& calls = {}) const {
    BatchEvidence evidence{
        .arena = arena, .placement = placement, .poison = poison, .log = log(), .calls = calls};
    if (!calls.empty()) evidence.kept = calls.size() - 1;
    return evidence;
  }

  [[nodiscard]] const PlacedTensor& x() const { return placement.tensors.at(0); }

  void write(std::uint64_t offset) { arena.data()[offset] ^= std::byte{0x55}; }
};

}  // namespace robust_kbench
