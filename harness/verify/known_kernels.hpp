#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "verify/labelled_set.hpp"
#include "verify/verifier_trial.hpp"

namespace robust_kbench {

// The subject of an entry, which outlives the kernels.
using SubjectOf = std::function<const PromptSubject*(const Entry&)>;

// A verifier's kernels of a set, of both splits without `split`. Throws UserError where there are
// none.
std::vector<KnownKernel> known_kernels(const LabelledSet& set, Verifier verifier,
                                       std::optional<Split> split, const SubjectOf& subject_of);

}  // namespace robust_kbench
