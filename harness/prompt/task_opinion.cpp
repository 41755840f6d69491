#include "prompt/task_opinion.hpp"

#include <algorithm>

#include "prompt/entry_contract.hpp"
#include "prompt/marked_answer.hpp"
#include <robust_kbench/task.hpp>

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

bool are_texts(const json& list) {
  return list.is_array() &&
         std::ranges::all_of(list, [](const json& one) { return one.is_string(); });
}

}  // namespace

ParsedOpinion parse_opinion_answer(std::string_view answer, std::string_view mark) {
  const json object = object_at_end(without_fences(answer, mark));
  const bool is_opinion = object.is_object() && object.value("mark", json()) == mark &&
                          object.value("redundant", json()).is_boolean() &&
                          object.value("inefficient", json()).is_boolean() &&
                          are_texts(object.value("reasons", json()));
  if (!is_opinion) return {{}, "the answer has no judgement with the mark of its prompt"};
  return {TaskOpinion{.redundant = object["redundant"],
                      .inefficient = object["inefficient"],
                      .reasons = object["reasons"].get<std::vector<std::string>>()}};
}

json opinion_schema() {
  return {{"type", "object"},
          {"properties",
           {{"analysis", {{"type", "string"}}},
            {"mark", {{"type", "string"}}},
            {"redundant", {{"type", "boolean"}}},
            {"inefficient", {{"type", "boolean"}}},
            {"reasons", {{"type", "array"}, {"items", {{"type", "string"}}}}}}},
          {"required", {"analysis", "mark", "redundant", "inefficient", "reasons"}},
          {"additionalProperties", false}};
}

json opinion_data(const PromptSubject& subject) {
  const json contract = contract_data(subject);
  return {{"reference", contract.at("reference")},
          {"reference_language", contract.at("reference_language")},
          {"configs", contract.at("configs")}};
}

ParsedOpinion opinion_on(ModelSession& session, const ModelChoice& choice,
                         const PromptSubject& subject) {
  const ModelReply reply = session.ask({.call = "judge_task/" + subject.task.name,
                                        .stage = "judge_task",
                                        .prompt = "judge_task",
                                        .data = opinion_data(subject),
                                        .schema = opinion_schema(),
                                        .keep_failure = false},
                                       choice);
  const Answer& answer = reply.answer;
  if (answer.outcome == ModelOutcome::ok && answer.message.empty()) {
    return parse_opinion_answer(answer.text, reply.mark);
  }
  return {.opinion = {},
          .reason = "the answer is '" + std::string(to_string(answer.outcome)) + "'" +
                    (answer.message.empty() ? "" : ": " + answer.message),
          .failed =
              answer.outcome == ModelOutcome::error || answer.outcome == ModelOutcome::not_granted};
}

}  // namespace robust_kbench
