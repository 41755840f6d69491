#pragma once

#include <string>

#include "llm/person_config.hpp"
#include "llm/spending_cap.hpp"
#include "llm/surroundings.hpp"

namespace robust_kbench {

// The cap of a command, and where it is from.
struct CapSource {
  SpendingCap cap;   // not set: no model may be asked
  std::string note;  // for people: how to turn models on, or what did not count; else empty
};

// The cap is what a person has said: by options, else by the variables RKB_MAX_USD, RKB_MAX_TOKENS
// and RKB_MAX_CALLS, else by the configuration. Each limit is looked up on its own. `committed` is
// what the settings of a repository say. These lower a limit or add one, but make no cap where the
// person has set none.
//
// Below a build tool the configuration alone counts. A repository's presets set variables there,
// and its build files write command lines.
CapSource cap_source(const CapTexts& options, const SpendingCap& committed,
                     const Surroundings& surroundings, const PersonConfig& config);

}  // namespace robust_kbench
