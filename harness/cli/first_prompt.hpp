#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/model_use.hpp"
#include "cli/suite.hpp"
#include "core/config.hpp"
#include "evolve/candidate.hpp"

namespace robust_kbench {

// The prompt by which a language model would be asked for the first proposal of a run, for people:
// the system's message, then the user's. Nothing has been measured yet, so it has no times, advice
// or history. `configs` are those that are timed, `seed` is the run's. Starts a helper. Throws
// UserError where that cannot be done.
std::string first_prompt(const ModelUse& use, const Suite& suite, const Entry& entry, Device device,
                         const Candidate& parent, const std::vector<Config>& configs,
                         std::uint64_t seed);

}  // namespace robust_kbench
