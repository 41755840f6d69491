#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// A class of errors that a language model looks for when it reviews a kernel.
enum class Verifier { compilation, memory, numerics };

inline constexpr Verifier verifiers[] = {Verifier::compilation, Verifier::memory,
                                         Verifier::numerics};

std::string_view to_string(Verifier verifier);
Verifier parse_verifier(std::string_view name);  // throws UserError

// The classes of errors that a verifier may name. The first one is "none".
const std::vector<std::string>& error_classes(Verifier verifier);

struct VerifierVerdict {
  bool valid = false;
  std::string error_class = {};           // of error_classes(); empty: not said
  std::vector<std::string> reasons = {};  // in the model's words
  int line = 0;                           // of the source without comments, from 1; 0: not said

  friend bool operator==(const VerifierVerdict&, const VerifierVerdict&) = default;
};

struct ParsedVerdict {
  std::optional<VerifierVerdict> verdict;  // none: the model abstained
  std::string reason;                      // why it did; empty otherwise
};

// Reads the answer of a verifier whose prompt had this mark. The analysis of a verdict may be
// missing. The answer ends with a JSON object of verdict_schema(). Else its last line `FINAL
// VERIFICATION ANSWER: True` (or False) with the mark behind it counts. Anything else abstains.
// Only the model knows the mark. So its repetition of a candidate, an error, an older answer or its
// prompt is no verdict.
ParsedVerdict parse_verdict_answer(std::string_view answer, Verifier verifier,
                                   std::string_view mark);

// The JSON schema of the object, for endpoints that hold answers to one.
nlohmann::json verdict_schema(Verifier verifier);

}  // namespace robust_kbench
