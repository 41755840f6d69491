#pragma once

#include <memory>
#include <string>
#include <vector>

#include "llm/helper.hpp"
#include "llm/helper_program.hpp"
#include "llm/person_config.hpp"
#include "llm/surroundings.hpp"

namespace robust_kbench {

enum class HelperUse { asks, estimates };

// Starts the helper for a command that asks these models. `committed` is the part of its settings
// about providers. The keys of all known providers leave the environment of this process, and those
// of the models' providers go to the helper. This process is not dumpable until the helper has
// started, and holds no key afterwards. Without models the helper only renders.
//
// Throws UserError as prepare() and used_providers() do, and where the key of a provider is not
// set. A helper that only estimates costs gets no keys and needs none.
std::unique_ptr<Helper> start_helper(const HelperProgram& program,
                                     const std::vector<std::string>& models,
                                     const nlohmann::json& committed,
                                     const Surroundings& surroundings, const PersonConfig& config,
                                     HelperUse use = HelperUse::asks);

}  // namespace robust_kbench
