#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "prompt/model_session.hpp"
#include "prompt/prompt_subject.hpp"
#include "verify/votes.hpp"

namespace robust_kbench {

// The way in which language models review kernels.
struct VerifierOptions {
  ModelChoice choice;
  int reflections = 1;                                // second looks; 0: none
  std::map<Verifier, std::string> instructions = {};  // missing: the prompt's own
  int side_by_side = 8;                               // reviews at a time
};

// A kernel to be reviewed.
struct VerifiedKernel {
  const PromptSubject& subject;
  std::string code;
  std::string call;              // unique in the run: "verify/12"
  std::int64_t proposal = 0;     // ProposalRow::id; 0: none
  std::string stage = "verify";  // by which costs are summed
  bool keep_failures = true;     // see ModelRequest::keep_failure
};

// One verifier's vote. The verifier reviews the kernel, then takes up to `reflections` looks at its
// own review, and ends with one that changes nothing. The last verdict counts. An answer that has
// none, is cut off or failed ends the review with an abstention. Throws as ModelSession::ask()
// does.
Vote vote_of(ModelSession& session, const VerifierOptions& options, const VerifiedKernel& kernel,
             Verifier verifier);

// The votes of some verifiers on some kernels, in the order of `kernels`. Several reviews are made
// at a time. Throws what the first of them threw, after the others have ended.
std::vector<Votes> votes_on(ModelSession& session, const VerifierOptions& options,
                            const std::vector<VerifiedKernel>& kernels,
                            const std::vector<Verifier>& asked);

}  // namespace robust_kbench
