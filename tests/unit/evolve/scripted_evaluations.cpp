// Serves evaluations of a ScriptedEvaluator, for the tests of EvaluatorProcess.
#include <cstdlib>

#include "evolve/evaluator_process.hpp"
#include "scripted_evaluator.hpp"

int main() {
  using namespace robust_kbench;
  class Dying : public ScriptedEvaluator {
   public:
    Evaluation evaluate(EvaluationKind kind, const Candidate& candidate,
                        const std::map<std::string, const Candidate*>& rivals) override {
      if (candidate.text == "ends its evaluator") std::_Exit(1);
      return ScriptedEvaluator::evaluate(kind, candidate, rivals);
    }
  };
  Dying evaluator;
  serve_evaluations(evaluator, {});
  return 0;
}
