#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "evolve/evaluation_backend.hpp"
#include "evolve/local_backend.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// Answers with recorded evaluations in place of new ones, to try a cluster out within seconds. Each
// candidate gets the evaluation of its kind, with its own name, path and machine code.
class RecordedBackend : public EvaluationBackend {
 public:
  // The file is an object of evaluations by their kinds, and of `seconds`, which each one takes.
  // Throws UserError where it cannot be read. `options` say how evaluations end.
  RecordedBackend(const std::filesystem::path& file, const LocalBackendOptions& options);

  Evaluation evaluate(EvaluationKind kind, const Candidate& candidate,
                      const std::map<std::string, const Candidate*>& rivals) override;

 private:
  const EvaluationEnds m_ends;
  nlohmann::json m_evaluations;
};

}  // namespace robust_kbench
