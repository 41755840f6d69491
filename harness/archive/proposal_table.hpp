#pragma once

#include <optional>
#include <string>
#include <vector>

#include "archive/database.hpp"
#include "archive/rows.hpp"

// Rows of the table `proposals`. All throw as Database does.
namespace robust_kbench {

// Inserts or replaces by run and id.
void write_proposal(const Database& database, const ProposalRow& proposal);
std::optional<ProposalRow> read_proposal(const Database& database, const std::string& run,
                                         std::int64_t id);
std::vector<ProposalRow> read_proposals(const Database& database, const std::string& run);  // by id

}  // namespace robust_kbench
