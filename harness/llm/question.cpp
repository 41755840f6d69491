#include "llm/question.hpp"

#include <array>

#include "core/enum_names.hpp"
#include "core/error.hpp"
#include "core/json_fields.hpp"
#include "core/sha256.hpp"

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr EnumNames<ModelOutcome, 5> outcomes{"outcome of an answer",
                                              {{{ModelOutcome::ok, "ok"},
                                                {ModelOutcome::length, "length"},
                                                {ModelOutcome::refusal, "refusal"},
                                                {ModelOutcome::error, "error"},
                                                {ModelOutcome::not_granted, "not_granted"}}}};

}  // namespace

std::string canonical_request(const Question& question) {
  json messages = json::array();
  for (const Message& message : question.messages) {
    messages.push_back({{"role", message.role}, {"content", message.content}});
  }
  const json request{{"call", question.call},
                     {"model", question.model},
                     {"messages", messages},
                     {"max_output_tokens", question.max_output_tokens},
                     {"temperature", value_or_null(question.temperature)},
                     {"effort", question.effort},
                     {"schema", question.schema}};
  // Foreign text may not be UTF-8, which JSON needs.
  return request.dump(-1, ' ', false, json::error_handler_t::replace);
}

CallIdentity identity_of(const Question& question, const std::string& run) {
  return {.run = run,
          .call = question.call,
          .request_hash = sha256(canonical_request(question)),
          .stage = question.stage,
          .purpose = question.purpose,
          .proposal = question.proposal,
          .model = question.model};
}

std::string_view to_string(ModelOutcome outcome) {
  return outcomes.name_of(outcome);
}

ModelOutcome parse_outcome(std::string_view name) {
  return outcomes.parse(name);
}

json to_json(const Answer& answer) {
  return {{"outcome", to_string(answer.outcome)},
          {"text", answer.text},
          {"finish_reason", answer.finish_reason},
          {"ignored", answer.ignored},
          {"message", answer.message}};
}

Answer answer_of(const json& json, const std::string& who) {
  try {
    return {.outcome = parse_outcome(json.at("outcome").get<std::string>()),
            .text = json.at("text"),
            .finish_reason = json.at("finish_reason"),
            .ignored = json.at("ignored"),
            .message = json.at("message")};
  } catch (const std::exception& error) {
    throw HarnessError(who + " has written no answer: " + error.what());
  }
}

}  // namespace robust_kbench
