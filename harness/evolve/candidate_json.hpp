#pragma once

#include <map>
#include <string>

#include "evolve/evaluation.hpp"
#include "prompt/candidate.hpp"

#include <nlohmann/json_fwd.hpp>

// Candidates and their evaluations as JSON, for processes that evaluate for another one.
namespace robust_kbench {

// What an evaluation needs of a candidate.
nlohmann::json candidate_json(const Candidate& candidate);
// Throws nlohmann's exceptions for what is missing.
Candidate candidate_from(const nlohmann::json& json);

// An evaluation that is asked for: what EvaluationBackend::evaluate() gets.
struct AskedEvaluation {
  EvaluationKind kind = EvaluationKind::compile;
  Candidate candidate;
  std::map<std::string, Candidate> rivals;  // by name

  [[nodiscard]] std::map<std::string, const Candidate*> named_rivals() const;
};

nlohmann::json evaluation_request(EvaluationKind kind, const Candidate& candidate,
                                  const std::map<std::string, const Candidate*>& rivals);
AskedEvaluation asked_evaluation(const nlohmann::json& json);

}  // namespace robust_kbench
