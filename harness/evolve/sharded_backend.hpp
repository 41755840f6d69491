#pragma once

#include <memory>
#include <vector>

#include "evolve/evaluation_backend.hpp"

namespace robust_kbench {

// Spreads candidates over several backends, by their numbers. All evaluations of one
// candidate go to the same one, so its races are on one GPU.
class ShardedBackend : public EvaluationBackend {
 public:
  explicit ShardedBackend(std::vector<std::unique_ptr<EvaluationBackend>> backends)
      : m_backends(std::move(backends)) {}

  Evaluation evaluate(EvaluationKind kind, const Candidate& candidate,
                      const std::map<std::string, const Candidate*>& rivals) override {
    const auto number = static_cast<std::size_t>(candidate.id);
    return m_backends[number % m_backends.size()]->evaluate(kind, candidate, rivals);
  }

 private:
  const std::vector<std::unique_ptr<EvaluationBackend>> m_backends;
};

}  // namespace robust_kbench
