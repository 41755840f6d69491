#pragma once

#include <optional>
#include <string>
#include <vector>

#include "archive/call_row.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

struct Message {
  std::string role;  // system, user or assistant
  std::string content;

  friend bool operator==(const Message&, const Message&) = default;
};

// One question to a language model.
struct Question {
  std::string call;           // its name, unique in the run: "propose/12"
  std::string stage;          // costs are summed by it: propose, verify, translate, ...
  std::string purpose;        // within the stage: the verifier; else empty
  std::int64_t proposal = 0;  // ProposalRow::id; 0: none
  std::string model;          // "provider/name"
  std::vector<Message> messages;
  int max_output_tokens = 0;
  std::optional<double> temperature;  // nullopt: the endpoint's own
  std::string effort;                 // low, medium or high; empty: the endpoint's own
  nlohmann::json schema;              // JSON schema of the answer; null: free text
  double timeout_s = 600;             // of one attempt
  std::string output_setting;  // the setting that limits the output, for messages; empty: none
};

// The name of a question and everything that its answer may depend on, as JSON with sorted keys.
// Two samples of one prompt have different names, so each has an answer of its own.
std::string canonical_request(const Question& question);

// The identity under which the question is charged. The hash is that of the canonical request.
CallIdentity identity_of(const Question& question, const std::string& run);

// The outcome of a question.
enum class ModelOutcome {
  ok,
  length,       // the output limit was reached; the text is cut off
  refusal,      // the model declined
  error,        // no attempt succeeded
  not_granted,  // a cap was reached
};

std::string_view to_string(ModelOutcome outcome);
ModelOutcome parse_outcome(std::string_view name);  // throws UserError

struct Answer {
  ModelOutcome outcome = ModelOutcome::ok;
  std::string text;  // the answer, which may be cut off
  std::string finish_reason;
  std::vector<std::string> ignored;  // settings that the endpoint does not honour
  std::string message;               // why there is no text; else empty
  // Notes for the person on how the model was asked. They are not stored with the answer.
  std::vector<std::string> notes = {};

  friend bool operator==(const Answer&, const Answer&) = default;
};

nlohmann::json to_json(const Answer& answer);
// Reads the output of to_json(). Throws HarnessError for anything else; `who` begins its message.
Answer answer_of(const nlohmann::json& json, const std::string& who);

}  // namespace robust_kbench
