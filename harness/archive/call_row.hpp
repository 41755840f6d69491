#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "archive/micro_dollars.hpp"

// Rows of the table `calls`. docs/archive.md describes every column.
namespace robust_kbench {

// The outcome of one attempt to ask a language model.
enum class CallState {
  reserved,     // granted, and not known to have ended
  charged,      // by the usage that the endpoint reported
  estimated,    // no usage was reported, so the reservation was charged
  unknown,      // the process ended before the attempt did; the reservation was charged
  overrun,      // the charge exceeded the reservation
  failed,       // the endpoint refused it and charged nothing
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

// The stage of questions to verifiers, whose purpose names the verifier.
inline constexpr std::string_view verify_stage = "verify";
// The stage of questions about a kernel's profile, whose answers the next proposals get.
inline constexpr std::string_view profile_stage = "profile";

// Identifies the question of an attempt.
struct CallIdentity {
  std::string run;            // a run, or another command that asks
  std::string call;           // unique in the run: "propose/12"
  std::string request_hash;   // SHA-256 of the canonical request, which is content
  std::string stage;          // costs are summed by it: propose, verify, translate, ...
  std::string purpose;        // within the stage: the verifier; else empty
  std::int64_t proposal = 0;  // ProposalRow::id; 0: none
  std::string model;          // "provider/name"

  // The key of the effect that holds the question's answer.
  [[nodiscard]] std::string answer_key() const { return "answer/" + request_hash; }

  friend bool operator==(const CallIdentity&, const CallIdentity&) = default;
};

// One attempt. Times are in UTC, as timestamp() writes them.
struct CallRow {
  CallIdentity identity;
  int attempt = 0;  // of its call, from 1, over all processes
  std::string host;
  CallState state = CallState::reserved;
  std::string status;                    // how it ended, in the helper's words; empty: open
  std::optional<MicroDollars> reserved;  // nullopt: the model has no price
  std::optional<MicroDollars> charged;   // nullopt: open, or without a price
  std::int64_t reserved_tokens = 0;
  std::int64_t charged_tokens = 0;
  std::optional<TokenUsage> usage;  // as reported; nullopt: not reported
  double seconds = 0;
  std::string message;  // why it failed or was not granted
  std::string started_at;
  std::string ended_at;  // empty: open

  friend bool operator==(const CallRow&, const CallRow&) = default;
};

}  // namespace robust_kbench
