#pragma once

#include <optional>
#include <string>

#include "archive/rows.hpp"

// The spelling of an archive's values in the output of `rkb archive`.
namespace robust_kbench {

std::string speedup_text(std::optional<double> speedup);  // "1.25x", "-" where there is none
std::string interval_text(const ProposalRow& proposal);   // "1.20..1.30"
std::string parents_text(const ProposalRow& proposal);    // "3, 7"
std::string text_or_dash(const std::string& text);        // "-" for an empty one
// Returns the first line, escaped, with at most 60 characters, for a cell of a table or a part of a
// sentence.
std::string cell_of(const std::string& text);

}  // namespace robust_kbench
