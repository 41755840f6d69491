#include "llm/model_list.hpp"

#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/text_file.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

ModelList read(const nlohmann::json& json) {
  ModelList list{.date = json.at("date"),
                 .defaults = {},
                 .paper_proposers = json.at("paper").at("proposers"),
                 .paper_verifier = json.at("paper").at("verifier"),
                 .paper_translator = json.at("paper").at("translator"),
                 .replacements = {}};
  for (const auto& [provider, models] : json.at("defaults").items()) {
    list.defaults[provider] = {
        .proposer = provider + "/" + models.at("proposer").get<std::string>(),
        .verifier = provider + "/" + models.at("verifier").get<std::string>()};
  }
  for (const auto& [model, replacement] : json.at("replacements").items()) {
    list.replacements[model] = {.by = replacement.at("by"), .retired = replacement.at("retired")};
  }
  return list;
}

}  // namespace

std::string ModelList::in_use(const std::string& model, const std::string& today) const {
  const auto replaced = replacements.find(model);
  if (replaced == replacements.end() || today < replaced->second.retired) return model;
  return replaced->second.by;
}

ModelList load_model_list(const std::filesystem::path& file) {
  try {
    return read(parse_json(read_text(file).value_or("")));
  } catch (const nlohmann::json::exception& error) {
    throw HarnessError("the list of models '" + file.string() +
                       "' cannot be read: " + error.what());
  }
}

}  // namespace robust_kbench
