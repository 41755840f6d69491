#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The value as JSON for an element <script> of an HTML page. Nothing in it ends the element, begins
// a comment or another element, or is a line break for JavaScript alone. Bytes that are no UTF-8
// are replaced.
std::string script_json(const nlohmann::json& value);

}  // namespace robust_kbench
