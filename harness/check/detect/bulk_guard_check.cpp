#include "check/detect/bulk_guard_check.hpp"

#include <vector>

#include "check/bytes.hpp"

namespace robust_kbench {
namespace {

// Longer ranges are checked one by one. Shorter ranges are checked word by word, all at once.
constexpr std::uint64_t most_bytes_by_word = std::uint64_t{1} << 16;

// Words of the arena, with masks of the bits that must be poison.
struct GuardWords {
  std::vector<std::int64_t> indices;
  std::vector<std::int64_t> masks;

  // Adds the range [begin, end), where end is a multiple of 8.
  void add(std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t word = begin / word_bytes; word < end / word_bytes; ++word) {
      const std::uint64_t outside = word * word_bytes < begin ? begin - word * word_bytes : 0;
      indices.push_back(static_cast<std::int64_t>(word));
      masks.push_back(static_cast<std::int64_t>(~std::uint64_t{0} << 8 * outside));
    }
  }
};

at::Tensor inputs_of(const Arena& arena, const Placement& placement) {
  return bytes_at(arena, placement.begin, placement.kernel_begin - placement.begin);
}

}  // namespace

at::Tensor image_of_inputs(const Arena& arena, const Placement& placement) {
  return inputs_of(arena, placement).clone();
}

bool guards_are_intact(const BatchEvidence& evidence) {
  if (!same_bytes(evidence.image_of_inputs, inputs_of(evidence.arena, evidence.placement)))
    return false;
  const at::Tensor arena_words =
      bytes_at(evidence.arena, 0, evidence.log.poisoned_until).view(at::kLong);
  const auto expected = static_cast<std::int64_t>(evidence.poison);
  GuardWords words;
  std::uint64_t next = evidence.placement.kernel_begin;
  const auto gap_is_poison = [&](std::uint64_t end) {
    std::uint64_t last = end;
    if (end > next + most_bytes_by_word) {
      last = align_up(next, word_bytes);
      const at::Tensor range = arena_words.slice(0, static_cast<std::int64_t>(last / word_bytes),
                                                 static_cast<std::int64_t>(end / word_bytes));
      if (!range.eq(expected).all().item<bool>()) return false;
    }
    words.add(next, last);
    return true;
  };
  for (const Allocation& allocation : evidence.log.allocations) {
    if (!gap_is_poison(allocation.offset)) return false;
    next = allocation.offset + allocation.bytes;
  }
  if (!gap_is_poison(evidence.log.poisoned_until)) return false;
  return words_equal(evidence.arena, words.indices, words.masks, evidence.poison)
      .all()
      .item<bool>();
}

}  // namespace robust_kbench
