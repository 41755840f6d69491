#include "check/allocation_probe.hpp"

#include <algorithm>
#include <utility>

#include "check/bytes.hpp"
#include "core/seed.hpp"

namespace robust_kbench {
namespace {

// The last word of each allocation is added to these, since kernels that write in order write it
// last.
constexpr std::uint64_t max_words = 8192;

// Indices of words of all allocations, a fixed step apart, and of the last word of each.
std::vector<std::int64_t> sampled_words(const std::vector<Allocation>& allocations,
                                        std::uint64_t key) {
  std::uint64_t bytes = 0;
  for (const Allocation& allocation : allocations) bytes += allocation.bytes;
  const std::uint64_t step = std::max<std::uint64_t>(1, bytes / word_bytes / max_words);
  std::uint64_t next =
      CipherStream(key).below(step);  // in words, from the end of the previous allocation
  std::vector<std::int64_t> words;
  for (const Allocation& allocation : allocations) {
    if (allocation.bytes == 0) continue;
    const std::uint64_t first = allocation.offset / word_bytes;
    const std::uint64_t last = (allocation.offset + allocation.bytes - 1) / word_bytes;
    std::uint64_t word = first + next;
    for (; word < last; word += step) words.push_back(static_cast<std::int64_t>(word));
    next = word - last;
    words.push_back(static_cast<std::int64_t>(last));
  }
  return words;
}

}  // namespace

AllocationProbe::AllocationProbe(const Arena& arena, AllocationLog log, std::uint64_t key)
    : m_log(std::move(log)),
      m_indices(sampled_words(m_log.allocations, key)),
      m_words(words_at(arena, m_indices)) {}

}  // namespace robust_kbench
