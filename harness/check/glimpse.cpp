#include "check/glimpse.hpp"

#include <algorithm>
#include <string>

#include "check/bytes.hpp"
#include "check/outputs.hpp"
#include "core/seed.hpp"

namespace robust_kbench {
namespace {

constexpr std::uint64_t word_bytes = 8;
// Beside the last word of each allocation, which is written last by whoever writes in order.
constexpr std::uint64_t most_words = 8192;
// Fewer may be what poison is by chance.
constexpr std::uint64_t least_bytes = 4;

// Words of all allocations, a step apart, and the last one of each.
std::vector<std::int64_t> words_of(const std::vector<Allocation>& given, std::uint64_t key) {
  std::uint64_t bytes = 0;
  for (const Allocation& allocation : given) bytes += allocation.bytes;
  const std::uint64_t step = std::max<std::uint64_t>(1, bytes / word_bytes / most_words);
  std::uint64_t next = mix(key) % step;  // words from where all before end
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

// Which bits of a word lie in `range`; none where too few do.
std::uint64_t mask_of(std::uint64_t word, const ByteRange& range) {
  const std::uint64_t begin = std::max(range.begin, word * word_bytes) - word * word_bytes;
  const std::uint64_t end = std::min(range.end, (word + 1) * word_bytes) - word * word_bytes;
  if (end < begin + least_bytes) return 0;
  return (~std::uint64_t{0} >> 8 * (word_bytes - (end - begin))) << 8 * begin;
}

bool was_given(const std::vector<Allocation>& given, const ByteRange& range) {
  const auto after = std::upper_bound(
      given.begin(), given.end(), range.begin,
      [](std::uint64_t begin, const Allocation& allocation) { return begin < allocation.offset; });
  return after != given.begin() && range.end <= std::prev(after)->offset + std::prev(after)->bytes;
}

std::string of_call(std::size_t call, std::size_t calls, std::size_t output) {
  return "output " + std::to_string(output) + " of call " + std::to_string(call) + " of " +
         std::to_string(calls);
}

}  // namespace

Glimpse::Glimpse(const Arena& arena, const Given& given, std::uint64_t key)
    : m_indices(words_of(given.allocations, key)),
      m_words(words_at(arena, m_indices)),
      m_given(given.allocations) {}

std::optional<Finding> Glimpse::contradicts(const Arena& arena, const Given& given,
                                            const std::vector<CallResult>& calls,
                                            std::uint64_t poison) const {
  const at::Tensor now = words_at(arena, m_indices);
  const auto* then_words = m_words.const_data_ptr<std::int64_t>();
  const auto* now_words = now.const_data_ptr<std::int64_t>();
  for (std::size_t call = 0; call < calls.size(); ++call) {
    for (std::size_t output = 0; output < calls[call].outputs.size(); ++output) {
      const ResultValue& result = calls[call].outputs[output];
      const auto range = given_range(given, result);
      if (!range || has_gaps(std::get<TensorRef>(result), *range)) continue;
      const std::string name = of_call(call, calls.size(), output);
      if (!was_given(m_given, *range)) {
        return cheat(CheatClass::late_write, name + " was made after the calls had returned");
      }
      const auto first = std::lower_bound(m_indices.begin(), m_indices.end(),
                                          static_cast<std::int64_t>(range->begin / word_bytes));
      for (auto index = first; index != m_indices.end(); ++index) {
        const auto word = static_cast<std::uint64_t>(*index);
        if (word * word_bytes >= range->end) break;
        const std::uint64_t mask = mask_of(word, *range);
        const auto i = index - m_indices.begin();
        const auto was = static_cast<std::uint64_t>(then_words[i]);
        if (((was ^ static_cast<std::uint64_t>(now_words[i])) & mask) != 0) {
          return cheat(CheatClass::late_write, name + " was written after the calls had returned");
        }
        if (mask != 0 && ((was ^ poison) & mask) == 0) {
          return Finding{.message = name + " was left unwritten"};
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace robust_kbench
