#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/model_use.hpp"
#include "core/config.hpp"
#include "evaluate/suite.hpp"
#include "evolve/settings.hpp"
#include "prompt/candidate.hpp"

namespace robust_kbench {

// The first proposal of a run that asks a language model.
struct FirstProposal {
  std::int64_t id = 0;
  const Candidate& parent;
  std::vector<Config> configs;  // that are timed
};

// How a run of these settings would ask a language model for that proposal, for people: the
// system's message, then the user's. Nothing has been measured yet, so there are no times, advice
// or history. Starts a helper. Throws UserError where that cannot be done.
std::string first_prompt(const ModelUse& use, const Suite& suite, const Entry& entry, Device device,
                         const EvolutionSettings& settings, const FirstProposal& proposal);

}  // namespace robust_kbench
