#include "evolve/candidate_json.hpp"

#include "core/kernel_source_json.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

nlohmann::json candidate_json(const Candidate& candidate) {
  return {{"id", candidate.id},
          {"name", candidate.name},
          {"text", candidate.text},
          {"hash", candidate.hash},
          {"kernel", candidate.kernel}};
}

Candidate candidate_from(const nlohmann::json& json) {
  return {.id = json.at("id"),
          .name = json.at("name"),
          .text = json.at("text"),
          .hash = json.at("hash"),
          .kernel = json.at("kernel").get<KernelSource>()};
}

std::map<std::string, const Candidate*> AskedEvaluation::named_rivals() const {
  std::map<std::string, const Candidate*> named;
  for (const auto& [name, rival] : rivals) named[name] = &rival;
  return named;
}

nlohmann::json evaluation_request(EvaluationKind kind, const Candidate& candidate,
                                  const std::map<std::string, const Candidate*>& rivals) {
  nlohmann::json request{{"kind", kind},
                         {"candidate", candidate_json(candidate)},
                         {"rivals", nlohmann::json::object()}};
  for (const auto& [name, rival] : rivals) request["rivals"][name] = candidate_json(*rival);
  return request;
}

AskedEvaluation asked_evaluation(const nlohmann::json& json) {
  AskedEvaluation asked{.kind = json.at("kind").get<EvaluationKind>(),
                        .candidate = candidate_from(json.at("candidate"))};
  for (const auto& [name, rival] : json.at("rivals").items()) {
    asked.rivals[name] = candidate_from(rival);
  }
  return asked;
}

}  // namespace robust_kbench
