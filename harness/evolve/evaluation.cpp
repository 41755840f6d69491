#include "evolve/evaluation.hpp"

#include <array>

#include <nlohmann/json.hpp>

namespace robust_kbench {

std::string to_string(EvaluationKind kind) {
  constexpr std::array names{"compile", "screen", "test",    "race",    "seeds",
                             "confirm", "unseen", "profile", "memcheck"};
  return names.at(static_cast<std::size_t>(kind));
}

bool decides_candidate(EvaluationKind kind) {
  switch (kind) {
    case EvaluationKind::compile:
    case EvaluationKind::screen:
    case EvaluationKind::test:
    case EvaluationKind::race:
    case EvaluationKind::memcheck:
      return true;
    case EvaluationKind::starts:
    case EvaluationKind::confirm:
    case EvaluationKind::unseen:
    case EvaluationKind::profile:
      break;
  }
  return false;
}

bool comes_at_first(EvaluationKind kind) {
  return kind == EvaluationKind::compile || kind == EvaluationKind::screen;
}

void to_json(nlohmann::json& json, const Evaluation& evaluation) {
  json = {{"record", record_file({evaluation.record})},
          {"object_hash", evaluation.object_hash},
          {"seconds", evaluation.seconds}};
}

void from_json(const nlohmann::json& json, Evaluation& evaluation) {
  evaluation.record = kernels_of(json.at("record")).at(0);
  evaluation.object_hash = json.at("object_hash");
  evaluation.seconds = json.at("seconds").get<std::map<std::string, double>>();
}

}  // namespace robust_kbench
