#pragma once

#include <memory>
#include <vector>

#include "evolve/evaluation.hpp"

namespace robust_kbench {

// Spreads candidates over several places of evaluation, by their numbers. All evaluations of one
// candidate go to the same place, so its races are on one GPU.
class SeveralEvaluators : public CandidateEvaluator {
 public:
  explicit SeveralEvaluators(std::vector<std::unique_ptr<CandidateEvaluator>> evaluators)
      : m_evaluators(std::move(evaluators)) {}

  Evaluation evaluate(EvaluationKind kind, const Candidate& candidate,
                      const std::map<std::string, const Candidate*>& rivals) override {
    const auto number = static_cast<std::size_t>(candidate.id);
    return m_evaluators[number % m_evaluators.size()]->evaluate(kind, candidate, rivals);
  }

 private:
  const std::vector<std::unique_ptr<CandidateEvaluator>> m_evaluators;
};

}  // namespace robust_kbench
