#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "prompt/model_session.hpp"
#include "prompt/prompt_subject.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// A model's opinion of a task's operator as it is written.
struct TaskOpinion {
  bool redundant = false;    // it does work that its result does not need
  bool inefficient = false;  // other operators of torch give the same with far less work
  std::vector<std::string> reasons = {};

  friend bool operator==(const TaskOpinion&, const TaskOpinion&) = default;
};

struct ParsedOpinion {
  std::optional<TaskOpinion> opinion;
  std::string reason = {};  // why there is none
  bool failed = false;      // nothing was answered, so that it can be asked again
};

// Reads the object at the end of an answer to `judge_task`, whose prompt had this mark.
ParsedOpinion parse_opinion_answer(std::string_view answer, std::string_view mark);

// The JSON schema of the object, for endpoints that hold answers to one.
nlohmann::json opinion_schema();

// The data of the prompt `judge_task`.
nlohmann::json opinion_data(const PromptSubject& subject);

// Asks a model for its opinion, once. Throws as ModelSession::ask() does.
ParsedOpinion opinion_on(ModelSession& session, const ModelChoice& choice,
                         const PromptSubject& subject);

}  // namespace robust_kbench
