#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "archive/micro_dollars.hpp"

// Rows of the table `calls`. docs/archive.md describes every column.
namespace robust_kbench {

// What became of one attempt to ask a language model.
enum class CallState {
  reserved,     // leave was given, and its end is not known yet
  charged,      // by the usage that the endpoint reported
  estimated,    // it reported none, so the reservation was charged
  unknown,      // the process ended before the attempt did; the reservation was charged
  overrun,      // it was charged more than was reserved
  failed,       // the endpoint turned it away and charged nothing
  not_granted,  // it did not fit into a cap, and nothing was sent
  unpaid,       // a person or a recording answered
};

std::string_view to_string(CallState state);
CallState parse_call_state(std::string_view name);  // throws UserError

// Tokens of one call. `cached_input` is a part of `input`, and `reasoning` one of `output`.
struct TokenUsage {
  std::int64_t input = 0;
  std::int64_t cached_input = 0;
  std::int64_t output = 0;
  std::int64_t reasoning = 0;

  [[nodiscard]] std::int64_t total() const { return input + output; }
  friend bool operator==(const TokenUsage&, const TokenUsage&) = default;
};

// The stage of questions to verifiers, whose purpose says which one.
inline constexpr std::string_view verify_stage = "verify";
// That of a question about a kernel's profile, which the next proposals are told of.
inline constexpr std::string_view profile_stage = "profile";

// Which question an attempt belongs to.
struct CallIdentity {
  std::string run;            // whose it is: a run, or another command that asks
  std::string call;           // unique in it: "propose/12"
  std::string request_hash;   // SHA-256 of the canonical request, which is content
  std::string stage;          // by which costs are summed: propose, verify, translate, ...
  std::string purpose;        // within the stage: which verifier; else empty
  std::int64_t proposal = 0;  // ProposalRow::id; 0: none
  std::string model;          // "provider/name"

  friend bool operator==(const CallIdentity&, const CallIdentity&) = default;
};

// One attempt. Times are in UTC, as timestamp() writes them.
struct CallRow {
  CallIdentity identity;
  int attempt = 0;  // of its call, from 1, over all processes that made any
  std::string host;
  CallState state = CallState::reserved;
  std::string status;                    // as the helper names how it ended; empty: open
  std::optional<MicroDollars> reserved;  // none: the model has no price
  std::optional<MicroDollars> charged;   // none: open, or without a price
  std::int64_t reserved_tokens = 0;
  std::int64_t charged_tokens = 0;
  std::optional<TokenUsage> usage;  // as reported; none: not reported
  double seconds = 0;
  std::string message;  // why it failed or was not granted
  std::string started_at;
  std::string ended_at;  // empty: open

  friend bool operator==(const CallRow&, const CallRow&) = default;
};

}  // namespace robust_kbench
