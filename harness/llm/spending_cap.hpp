#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "archive/micro_dollars.hpp"

namespace robust_kbench {

// What a command may spend on language models. A limit that is missing does not limit.
struct SpendingCap {
  std::optional<MicroDollars> micro_usd;
  std::optional<std::int64_t> tokens;  // input and output together
  std::optional<std::int64_t> calls;   // attempts, retries too

  // Without any limit nothing may be asked.
  [[nodiscard]] bool is_set() const { return micro_usd || tokens || calls; }
  friend bool operator==(const SpendingCap&, const SpendingCap&) = default;
};

// The cap with what the settings of a repository say. These lower a limit or add one. Where the
// person has set no limit, there is none.
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

// Throws UserError for what is no amount. `names` are those of the limits in messages.
SpendingCap parse_cap(const CapTexts& texts, const CapTexts& names);

}  // namespace robust_kbench
