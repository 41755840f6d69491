#pragma once

#include <optional>
#include <string>
#include <vector>

#include "archive/database.hpp"
#include "archive/rows.hpp"

// Rows of the table `runs`. All throw as Database does.
namespace robust_kbench {

// "layernorm.forward.cpu.3" for the third of its entry and device.
std::string next_run_id(const Database& database, const Entry& entry, Device device);

// Inserts or replaces by id.
void write_run(const Database& database, const RunRow& run);
std::optional<RunRow> read_run(const Database& database, const std::string& id);
std::vector<RunRow> read_runs(const Database& database);  // in the order in which they began

}  // namespace robust_kbench
