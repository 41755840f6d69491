#pragma once

#include <string>
#include <vector>

#include "core/device.hpp"
#include "verify/verifier_trial.hpp"

#include <nlohmann/json_fwd.hpp>

// The data of the prompts by which a verifier's instructions are tuned, which docs/prompts.md
// describes.
namespace robust_kbench {

// Instructions for a verifier, and its verdicts with them. Empty ones are the prompt's own.
struct TriedInstructions {
  std::string instructions;
  ConfusionMatrix matrix;
};

// The data of the prompt `tune_verifier`. `tried` goes from the worst to the best. The best one
// made the mistakes, which are condensed; empty: it made none.
nlohmann::json instructions_data(Device device, Verifier verifier,
                                 const std::vector<TriedInstructions>& tried,
                                 const std::string& mistakes,
                                 const std::vector<std::string>& rejected);

// The data of the prompt `condense_mistakes`. Sources are shown without their comments, as the
// verifier saw them.
nlohmann::json mistakes_data(Device device, Verifier verifier,
                             const std::vector<Mistake>& mistakes);

}  // namespace robust_kbench
