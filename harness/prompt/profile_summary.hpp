#pragma once

#include <string>
#include <vector>

#include "prompt/candidate.hpp"
#include "prompt/model_session.hpp"

namespace robust_kbench {

// The output limit of the question.
inline constexpr int profile_summary_tokens = 4096;

// A model's recommendations for a kernel with a profile, one text each. It is asked once for each
// kernel of a run. Where it does not answer, they are those of the rules.
std::vector<std::string> summarise_profile(ModelSession& session, Device device,
                                           const Candidate& kernel, const ModelChoice& choice);

}  // namespace robust_kbench
