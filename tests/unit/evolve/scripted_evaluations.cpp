// Serves evaluations of a ScriptedBackend, for the tests of ProcessBackend.
#include <chrono>
#include <cstdlib>
#include <stop_token>
#include <thread>

#include "core/cancelled.hpp"
#include "evolve/process_backend.hpp"
#include "scripted_backend.hpp"

int main() {
  using namespace robust_kbench;
  class Dying : public ScriptedBackend {
   public:
    Evaluation evaluate(EvaluationKind kind, const Candidate& candidate,
                        const std::map<std::string, const Candidate*>& rivals) override {
      if (candidate.text == "ends its backend") std::_Exit(1);
      return ScriptedBackend::evaluate(kind, candidate, rivals);
    }
  };
  Dying backend;
  std::stop_source search;
  backend.forever = [ended = search.get_token()] {
    while (!ended.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    throw Cancelled();
  };
  serve_evaluations(backend, {}, search);
  return 0;
}
