#pragma once

#include <string>
#include <vector>

#include "cli/import/import_request.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// Returns a table of what became of the sources, with the findings of each below it. It ends with
// the next command where one source was imported.
std::string import_text(const std::vector<ImportedSource>& imported);

nlohmann::json import_json(const std::vector<ImportedSource>& imported);

}  // namespace robust_kbench
