#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// The cost of the calls about a proposal. nullopt where a part has no price, or there was no call.
struct ProposalCosts {
  std::optional<MicroDollars> proposing;                           // all but its verifiers
  std::map<std::string, std::optional<MicroDollars>> by_verifier;  // by purpose
};

// The cost of each proposal, by its ProposalRow::id.
std::map<std::int64_t, ProposalCosts> proposal_costs(const std::vector<CallRow>& calls);

// The conversations about a proposal: lists of {"role", "content"}, the answers included.
struct ProposalMessages {
  nlohmann::json proposing = nlohmann::json::array();  // all but the others
  nlohmann::json profiling = nlohmann::json::array();  // a model's feedback on its profile
  std::map<std::string, nlohmann::json> by_verifier;   // by purpose
};

// Returns those about one proposal of a run. `calls` are all of the run's. Throws UserError where a
// text is damaged.
ProposalMessages proposal_messages(const Archive& archive, const std::vector<CallRow>& calls,
                                   std::int64_t proposal);

}  // namespace robust_kbench
