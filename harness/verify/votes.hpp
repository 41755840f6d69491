#pragma once

#include <map>
#include <optional>
#include <string>

#include "prompt/verifier_answer.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// One verifier's vote on one kernel.
struct Vote {
  std::optional<VerifierVerdict> verdict;  // none: it abstained
  std::string abstention = {};             // why it did; empty otherwise
  std::string answer = {};                 // its last one, with which it ended
  bool failed = false;                     // it abstained since no answer came

  // Whether it called the kernel valid; none where it abstained.
  [[nodiscard]] std::optional<bool> said_valid() const;
  friend bool operator==(const Vote&, const Vote&) = default;
};

using Votes = std::map<Verifier, Vote>;

// The number of verifiers that called the kernel valid. An abstention counts one half.
double score(const Votes& votes);

// Whether more verifiers called it valid than called it wrong.
bool has_majority(const Votes& votes);

// Member `votes` of a proposal's settings (docs/archive.md): 1, 0 or null by verifier.
nlohmann::json votes_json(const Votes& votes);

// Member `verdicts` there: `valid`, `class`, `reasons` and `line` by verifier, or `abstention`.
nlohmann::json verdicts_json(const Votes& votes);

// A line for each verifier, for people. What a model wrote steers no terminal.
std::string to_text(const Votes& votes);

}  // namespace robust_kbench
