#pragma once

#include <string>

#include "llm/person_config.hpp"
#include "llm/spending_cap.hpp"
#include "llm/surroundings.hpp"

namespace robust_kbench {

// The cap that the person has set for a command, and its origin.
struct CapSource {
  SpendingCap cap;   // not set: no model may be asked
  std::string note;  // for people: how to turn models on, or what was ignored; else empty
  CapTexts places;   // the origin of each limit, as "RKB_MAX_USD"; empty: not set
};

// Finds the person's cap: in options, else in the variables RKB_MAX_USD, RKB_MAX_TOKENS and
// RKB_MAX_CALLS, else in the configuration. Each limit is looked up on its own. The settings of a
// repository are ignored here, since they may only lower the cap in the ledger.
//
// Below a build tool only the configuration counts. A repository's presets set variables there, and
// its build files write command lines.
CapSource cap_source(const CapTexts& options, const Surroundings& surroundings,
                     const PersonConfig& config);

}  // namespace robust_kbench
