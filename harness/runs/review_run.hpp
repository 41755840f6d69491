#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runs/run.hpp"
#include "verify/labelled_set.hpp"
#include "verify/verification.hpp"
#include "verify/verifier_trial.hpp"
#include "verify/verifier_tuning.hpp"

// Runs in which verifiers review kernels of any entry.
namespace robust_kbench {

// The verifiers that review, and the instructions of one of them in place of its prompt's own.
struct Reviewers {
  std::vector<Verifier> verifiers;
  std::string instructions;  // of the first one; empty: the prompt's own
};

// Returns the votes on each of these sources of kernels of the entry, in their order.
std::vector<Votes> review_kernels(Run& run, const Reviewers& reviewers, const Entry& entry,
                                  const std::vector<std::string>& sources);

// Tries one verifier after the other on its kernels of a set, of both splits without `split`, and
// tells how each did. Returns why some reviews were not made; empty: all were.
std::string review_set(Run& run, const Reviewers& reviewers, const LabelledSet& set,
                       std::optional<Split> split,
                       const std::function<void(Verifier, const VerifierTrial&)>& on_trial);

// Looks for better instructions for a verifier on a set's tuning split, and judges them by the
// other one.
VerifierTuningResult tune_verifier(Run& run, Verifier verifier, const LabelledSet& set,
                                   VerifierTuning::OnGeneration on_generation);

}  // namespace robust_kbench
