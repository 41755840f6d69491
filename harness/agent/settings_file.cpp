#include "agent/settings_file.hpp"

#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/text_file.hpp"

namespace robust_kbench {

nlohmann::json settings_file(const std::string& path) {
  const std::optional<std::string> text = read_text(path);
  if (!text) throw UserError("--settings " + path + " cannot be read; give a JSON file");
  try {
    return parse_json(*text);
  } catch (const nlohmann::json::parse_error& error) {
    throw UserError("--settings " + path + " is no JSON: " + error.what());
  }
}

}  // namespace robust_kbench
