#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "evolve/evaluation_backend.hpp"

namespace robust_kbench {

constexpr int killed = 9;  // the exit code of a process that a test ends where a kill might

// Judges kernels by what their text says. "takes 50" is a time in microseconds. "unseen 80" is that
// on configs that no proposer has seen, "confirmed 60" that in the confirmation. "raced 60" is that
// in a race after all cases. "is wrong", "is wrong later", "confirmed wrong" and "does not compile"
// are verdicts. What "cannot be replayed" is skipped in the confirmation. Memcheck finds what
// "reads outside". Times scatter a little, always alike. A profile has one piece of advice, the
// text itself. What "takes forever" to screen is left to the test, as is how long other evaluations
// take. Several threads may evaluate.
class ScriptedBackend : public EvaluationBackend {
 public:
  Evaluation evaluate(EvaluationKind kind, const Candidate& candidate,
                      const std::map<std::string, const Candidate*>& rivals) override;

  [[nodiscard]] bool profiles_beside() const override { return beside_profiles; }
  [[nodiscard]] bool looks_ahead() const override { return true; }
  void expect(const Candidate& candidate) override { expected.push_back(candidate.text); }

  std::atomic<int> calls = 0;
  bool beside_profiles = true;
  std::vector<std::string> expected;  // texts
  double empty_us = 0;                // of the baseline `empty`; 0: there is none
  bool estimates = false;             // whether `events` says twice the times of a confirmation
  std::function<void(int call)> before_call = {};
  std::function<void()> forever = {};
  std::function<void(EvaluationKind)> before = {};  // each but those that take forever
};

}  // namespace robust_kbench
