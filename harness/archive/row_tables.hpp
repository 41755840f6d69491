#pragma once

#include "archive/call_row.hpp"
#include "archive/rows.hpp"
#include "archive/table.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The columns that docs/archive.md describes.
const RowTable<RunRow>& runs_table();
const RowTable<ProposalRow>& proposals_table();
const RowTable<CallRow>& calls_table();

// Every column by its name. An empty optional is null.
void to_json(nlohmann::json& json, const RunRow& run);
void to_json(nlohmann::json& json, const ProposalRow& proposal);
void to_json(nlohmann::json& json, const CallRow& call);

}  // namespace robust_kbench
