#pragma once

#include <map>
#include <string>

#include "evolve/evaluation.hpp"
#include "prompt/candidate.hpp"

namespace robust_kbench {

// Where the candidates of a run are evaluated. If a run evaluates some side by side, several
// threads call it at a time.
class EvaluationBackend {
 public:
  virtual ~EvaluationBackend() = default;

  // Evaluates a candidate; a race is against the `rivals`, by the name that records give them.
  // Throws Cancelled.
  virtual Evaluation evaluate(EvaluationKind kind, const Candidate& candidate,
                              const std::map<std::string, const Candidate*>& rivals) = 0;

  // Whether candidates may be evaluated while another one is profiled. The profilers' memory must
  // be so small that neither waits for the other's.
  [[nodiscard]] virtual bool profiles_beside() const { return false; }

  // Whether expect() is of use now. Else nobody needs to find out which candidate comes next.
  [[nodiscard]] virtual bool looks_ahead() const { return false; }
  // Says that a candidate is likely to be evaluated next, so that it can be compiled beside the
  // evaluation of another. No evaluation depends on it.
  virtual void expect(const Candidate& candidate) { (void)candidate; }
};

}  // namespace robust_kbench
