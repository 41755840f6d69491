#include "check/glimpse.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "check/bytes.hpp"
#include "check/outputs.hpp"
#include "core/seed.hpp"

namespace robust_kbench {
namespace {

constexpr std::uint64_t word_bytes = 8;
// Beside the last word of each allocation, which is written last by whoever writes in order.
constexpr std::uint64_t most_words = 8192;

// Words of all allocations, a step apart, and the last one of each.
std::vector<std::int64_t> words_of(const std::vector<Allocation>& given, std::uint64_t key) {
  std::uint64_t bytes = 0;
  for (const Allocation& allocation : given) bytes += allocation.bytes;
  const std::uint64_t step = std::max<std::uint64_t>(1, bytes / word_bytes / most_words);
  std::uint64_t next = mix(key) % step;  // words from the end of the allocation before
  std::vector<std::int64_t> words;
  for (const Allocation& allocation : given) {
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

// Which bits of a word that overlaps `range` lie in it.
std::uint64_t mask_of(std::uint64_t word, const ByteRange& range) {
  const std::uint64_t begin = std::max(range.begin, word * word_bytes) - word * word_bytes;
  const std::uint64_t end = std::min(range.end, (word + 1) * word_bytes) - word * word_bytes;
  return (~std::uint64_t{0} >> 8 * (word_bytes - (end - begin))) << 8 * begin;
}

Finding late(std::size_t output, std::size_t call, std::size_t calls, const char* what) {
  return cheat(CheatClass::late_write, "output " + std::to_string(output) + " of call " +
                                           std::to_string(call) + " of " + std::to_string(calls) +
                                           " was " + what + " after the calls had returned");
}

}  // namespace

Glimpse::Glimpse(const Arena& arena, Given given, std::uint64_t key)
    : m_given(std::move(given)),
      m_indices(words_of(m_given.allocations, key)),
      m_words(words_at(arena, m_indices)) {}

std::optional<Finding> Glimpse::contradicts(const Arena& arena, const Given& given,
                                            const std::vector<CallResult>& calls) const {
  const at::Tensor words_now = words_at(arena, m_indices);
  const auto* was = m_words.const_data_ptr<std::int64_t>();
  const auto* is = words_now.const_data_ptr<std::int64_t>();
  for (std::size_t call = 0; call < calls.size(); ++call) {
    for (std::size_t output = 0; output < calls[call].outputs.size(); ++output) {
      const ResultValue& result = calls[call].outputs[output];
      const auto range = given_range(given, result);
      // Between the elements there may be what others write.
      if (!range || has_gaps(std::get<TensorRef>(result), *range)) continue;
      if (!given_range(m_given, result)) return late(output, call, calls.size(), "made");
      const auto begin = static_cast<std::int64_t>(range->begin / word_bytes);
      const auto end = static_cast<std::int64_t>((range->end - 1) / word_bytes);
      const auto first = std::lower_bound(m_indices.begin(), m_indices.end(), begin);
      for (auto index = first; index != m_indices.end() && *index <= end; ++index) {
        const auto i = index - m_indices.begin();
        const std::uint64_t mask = mask_of(static_cast<std::uint64_t>(*index), *range);
        if ((static_cast<std::uint64_t>(was[i] ^ is[i]) & mask) == 0) continue;
        return late(output, call, calls.size(), "written");
      }
    }
  }
  return std::nullopt;
}

}  // namespace robust_kbench
