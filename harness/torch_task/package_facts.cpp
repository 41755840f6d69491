#include "torch_task/package_facts.hpp"

#include <optional>

#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/text_file.hpp"

namespace robust_kbench {

PackageFacts package_facts(const std::filesystem::path& file) {
  const std::optional<std::string> text = read_text(file);
  if (!text) throw UserError("package " + file.string() + " cannot be read");
  const nlohmann::json content = parse_json_if_any(*text);
  try {
    PackageFacts facts{.name = content.at("name").get<std::string>(),
                       .summary = content.at("summary").get<std::string>(),
                       .kind = content.at("kind").get<std::string>(),
                       .source = content.at("source").at("file").get<std::string>(),
                       .directions = {},
                       .points = content.at("points").size(),
                       .notes = content.value("notes", std::vector<std::string>()),
                       .made_with = content.at("made_with"),
                       .precision = content.value("precision", nlohmann::json())};
    for (const char* direction : {"forward", "backward"}) {
      if (content.at("configs").contains(direction)) facts.directions.emplace_back(direction);
    }
    return facts;
  } catch (const nlohmann::json::exception& error) {
    throw UserError("package " + file.string() + ": " + error.what() + "; import it again");
  }
}

}  // namespace robust_kbench
