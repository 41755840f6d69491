#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "archive/call_row.hpp"
#include "core/output_file.hpp"

#include <nlohmann/json_fwd.hpp>

// What `rkb archive` prints in tables, for other programs. Rows have the columns of
// docs/archive.md.
namespace robust_kbench {

// {"runs": [...]}: the rows, with what `rkb archive list` adds to each.
nlohmann::json runs_json(const Archive& archive);

// {"run": {...}, "proposals": [...]}. Throws UserError for an unknown run.
nlohmann::json run_json(const Archive& archive, const std::string& run);

// {"proposal": {...}, "lineage": [...], "record": {...}}, where the lineage ends with the seed. The
// record is null where there is none. Throws UserError for an unknown proposal.
nlohmann::json proposal_json(const Archive& archive, const std::string& run, std::int64_t id);

// {"costs": [...]}: a row for each stage, purpose and model. Money is in millionths of a dollar.
nlohmann::json costs_json(const std::vector<CallRow>& calls);

// {"best": [...]}: a row for each entry and device. Times are in microseconds.
nlohmann::json best_json(const Archive& archive, const std::string& task);

// Writes the file of --json. Reasons may hold bytes that are no UTF-8, and get U+FFFD for each.
void write_archive_json(const OutputFile& file, const nlohmann::json& content);

}  // namespace robust_kbench
