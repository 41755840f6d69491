#include "verify/verifier_trial.hpp"

namespace robust_kbench {

VerifierTrial try_verifier(ModelSession& session, const VerifierOptions& options,
                           const TrialRequest& request, const std::vector<KnownKernel>& kernels) {
  std::vector<VerifiedKernel> reviewed;
  for (const KnownKernel& kernel : kernels) {
    reviewed.push_back({.subject = *kernel.subject,
                        .code = kernel.code,
                        .call = request.call + "/" + std::to_string(reviewed.size() + 1),
                        .stage = request.stage,
                        .keep_failures = false});
  }
  const std::vector<Votes> votes = votes_on(session, options, reviewed, {request.verifier});
  VerifierTrial trial;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const Vote& vote = votes[i].at(request.verifier);
    const VerifierTruth& truth = kernels[i].truth;
    trial.matrix.add(truth.valid, vote.said_valid());
    if (vote.failed) trial.failure = vote.abstention;
    if (vote.verdict && vote.verdict->valid != truth.valid) {
      trial.mistakes.push_back({kernels[i].code, vote.answer, truth});
    }
  }
  return trial;
}

}  // namespace robust_kbench
