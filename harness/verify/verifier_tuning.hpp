#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "prompt/model_session.hpp"
#include "verify/tuning_prompt_data.hpp"
#include "verify/verifier_trial.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

struct VerifierTuningPlan {
  Verifier verifier = Verifier::compilation;
  Device device = Device::cpu;
  std::vector<KnownKernel> tuning;    // instructions are chosen by these alone
  std::vector<KnownKernel> held_out;  // and judged by these, once
  VerifierOptions verifies;           // its own instructions are what tuning begins with
  ModelChoice writer;                 // who writes instructions
  int generations = 20;
  bool condenses_mistakes = true;
  // The reason for which no model may be asked any more, as where a cap is reached; none: one may.
  std::function<std::optional<std::string>()> refused = [] { return std::nullopt; };
};

// One generation, and the outcome of its instructions:
//   first       tuning begins with them, in generation 0
//   accepted    more accurate on the tuning split than the best before
//   rejected    no more accurate than these
//   repeated    tried before, so they were not tried again
//   unreadable  there are none in the answer
//   failed      a model did not answer, or a cap kept it from being asked; nothing was decided
struct TuningGeneration {
  int number = 0;
  std::string outcome;
  std::string instructions;               // empty: the prompt's own, or none
  std::optional<ConfusionMatrix> matrix;  // on the tuning split; none: not tried
};

struct VerifierTuningResult {
  std::string instructions;  // the best ones; empty: the prompt's own
  ConfusionMatrix tuning;    // with these
  // The matrix on the held-out split; none where a failure, a cap or a request to stop came before.
  // A run that goes on makes it.
  std::optional<ConfusionMatrix> held_out;
  std::vector<TuningGeneration> generations;
  std::string stop_reason;
};

// Looks for better instructions for a verifier. A model writes them, the verifier tries them on the
// tuning split, and the writer sees the result in its next prompt. Instructions that were rejected
// are shown to it, and are never tried again. No prompt of the writer has anything of the held-out
// split, on which the best instructions are tried once, at the end.
class VerifierTuning {
 public:
  using OnGeneration = std::function<void(const TuningGeneration&)>;

  // The references outlive this object.
  VerifierTuning(VerifierTuningPlan plan, ModelSession& session, OnGeneration on_generation = {});

  VerifierTuningResult run();

 private:
  VerifierTrial try_out(const std::string& instructions, const std::string& call,
                        const std::vector<KnownKernel>& kernels);
  // The mistakes of the best instructions in a few lines, asked for once.
  const std::string& mistakes(int generation);
  // The instructions in the writer's answer; empty: there are none.
  std::string written(int generation);
  // The writer's answer; none where it failed.
  std::optional<ModelReply> ask_writer(const ModelRequest& request);
  std::string tune(int generation, TuningGeneration& made);
  void accept(const std::string& instructions, VerifierTrial trial);
  [[nodiscard]] std::string first_instructions() const;
  [[nodiscard]] std::string reason_to_stop(int generation) const;

  const VerifierTuningPlan m_plan;
  ModelSession& m_session;
  const OnGeneration m_on_generation;
  std::vector<TriedInstructions> m_tried;  // the accepted ones, the best one last
  std::vector<std::string> m_rejected;
  std::set<std::string> m_known;  // all that were tried, without their spacing
  std::vector<Mistake> m_best_mistakes;
  std::optional<std::string> m_condensed;
  std::string m_failure;  // of a question, which ends the run
};

nlohmann::json to_json_object(const TuningGeneration& generation);
// The summary of a run.
nlohmann::json to_json_object(const VerifierTuningResult& result);

}  // namespace robust_kbench
