#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace robust_kbench {

// The content of the file that --settings names. Throws UserError for what is no JSON.
nlohmann::json settings_file(const std::string& path);

}  // namespace robust_kbench
