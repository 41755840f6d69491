#pragma once

#include <string>
#include <vector>

#include "verify/confusion_matrix.hpp"
#include "verify/verification.hpp"
#include "verify/verifier_truth.hpp"

namespace robust_kbench {

// A kernel whose truth is known in one verifier's class. The subject outlives it.
struct KnownKernel {
  std::string name;
  const PromptSubject* subject = nullptr;
  std::string code;
  VerifierTruth truth;
};

// A verdict that the truth contradicts.
struct Mistake {
  std::string code;
  std::string answer;  // with which the verifier ended
  VerifierTruth truth;
};

// The verdicts of a verifier on known kernels.
struct VerifierTrial {
  ConfusionMatrix matrix;
  std::vector<Mistake> mistakes;
  std::string failure = {};  // why some reviews were not made; empty: all were
};

// Names the reviews of a trial. The review of kernel 1 is called `call`/1, and so on. One that
// fails is made again when the run is resumed.
struct TrialRequest {
  Verifier verifier = Verifier::compilation;
  std::string call;
  std::string stage;
};

VerifierTrial try_verifier(ModelSession& session, const VerifierOptions& options,
                           const TrialRequest& request, const std::vector<KnownKernel>& kernels);

}  // namespace robust_kbench
