#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "archive/micro_dollars.hpp"

namespace robust_kbench {

// The most that a command may spend on language models. A missing limit does not limit.
struct SpendingCap {
  std::optional<MicroDollars> micro_usd;
  std::optional<std::int64_t> tokens;  // input and output together
  std::optional<std::int64_t> calls;   // attempts, including retries

  // Without any limit no model may be asked.
  [[nodiscard]] bool is_set() const { return micro_usd || tokens || calls; }
  friend bool operator==(const SpendingCap&, const SpendingCap&) = default;
};

// The cap, lowered by the settings of a repository. These lower a limit or add one. Without a limit
// of the person, the result has none.
SpendingCap lowered(const SpendingCap& cap, const SpendingCap& committed);

// The limits as a person or a settings file writes them; empty: none.
struct CapTexts {
  std::string max_usd;
  std::string max_tokens;
  std::string max_calls;
};

// The options that set the limits.
inline const CapTexts cap_options{
    .max_usd = "--max-usd", .max_tokens = "--max-tokens", .max_calls = "--max-calls"};

// Throws UserError for an invalid amount. `names` are those of the limits in messages.
SpendingCap parse_cap(const CapTexts& texts, const CapTexts& names);

}  // namespace robust_kbench
