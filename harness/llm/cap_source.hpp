#pragma once

#include <string>

#include "llm/person_config.hpp"
#include "llm/spending_cap.hpp"
#include "llm/surroundings.hpp"

namespace robust_kbench {

// The cap of a command as the person has set it, and where it is from.
struct CapSource {
  SpendingCap cap;   // not set: no model may be asked
  std::string note;  // for people: how to turn models on, or what did not count; else empty
  CapTexts places;   // what has set each limit of the cap, as "RKB_MAX_USD"; empty: not set
};

// The cap is what a person has said: by options, else by the variables RKB_MAX_USD, RKB_MAX_TOKENS
// and RKB_MAX_CALLS, else by the configuration. Each limit is looked up on its own. The settings of
// a repository have no say here. What they say lowers the cap in the ledger.
//
// Below a build tool the configuration alone counts. A repository's presets set variables there,
// and its build files write command lines.
CapSource cap_source(const CapTexts& options, const Surroundings& surroundings,
                     const PersonConfig& config);

}  // namespace robust_kbench
