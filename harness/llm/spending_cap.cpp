#include "llm/spending_cap.hpp"

#include <algorithm>
#include <charconv>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

// Sums of a million such numbers do not overflow.
constexpr std::int64_t greatest_limit = 1'000'000'000'000;

std::optional<std::int64_t> count_of(const std::string& text, const std::string& who) {
  if (text.empty()) return std::nullopt;
  std::int64_t count = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc{} && end == text.data() + text.size() && count >= 0 &&
      count <= greatest_limit) {
    return count;
  }
  throw UserError(who + " is '" + text + "'; give an integer from 0 to " +
                  std::to_string(greatest_limit));
}

template <typename Limit>
std::optional<Limit> lower(const std::optional<Limit>& a, const std::optional<Limit>& b) {
  return a && b ? std::optional(std::min(*a, *b)) : (a ? a : b);
}

}  // namespace

SpendingCap lowered(const SpendingCap& cap, const SpendingCap& committed) {
  if (!cap.is_set()) return cap;
  return {.micro_usd = lower(cap.micro_usd, committed.micro_usd),
          .tokens = lower(cap.tokens, committed.tokens),
          .calls = lower(cap.calls, committed.calls)};
}

SpendingCap parse_cap(const CapTexts& texts, const CapTexts& names) {
  SpendingCap cap;
  if (!texts.max_usd.empty()) cap.micro_usd = parse_dollars(texts.max_usd, names.max_usd);
  cap.tokens = count_of(texts.max_tokens, names.max_tokens);
  cap.calls = count_of(texts.max_calls, names.max_calls);
  return cap;
}

}  // namespace robust_kbench
