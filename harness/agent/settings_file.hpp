#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace robust_kbench {

// Reads the file that --settings names. Throws UserError for a file that is no JSON.
nlohmann::json settings_file(const std::string& path);

}  // namespace robust_kbench
