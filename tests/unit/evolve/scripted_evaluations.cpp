// Serves evaluations of a ScriptedEvaluator, for the tests of EvaluatorProcess.
#include <chrono>
#include <cstdlib>
#include <stop_token>
#include <thread>

#include "core/cancelled.hpp"
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
  std::stop_source search;
  evaluator.forever = [ended = search.get_token()] {
    while (!ended.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    throw Cancelled();
  };
  serve_evaluations(evaluator, {}, search);
  return 0;
}
