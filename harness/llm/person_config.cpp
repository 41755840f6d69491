#include "llm/person_config.hpp"

#include <array>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.hpp"
#include "core/nearest_name.hpp"
#include "core/parse_json.hpp"
#include "core/text_file.hpp"

namespace robust_kbench {
namespace {

using nlohmann::json;

const std::vector<std::string_view> keys{"max_usd", "max_tokens", "max_calls", "providers"};
const std::vector<std::string_view> provider_keys{
    "base_url", "wire", "key_variable", "like", "prices", "listed_prefix", "command"};

// Anybody who may write the file decides where this person's keys and money go.
void require_own(const std::filesystem::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return;
  if (status.st_uid != geteuid()) {
    throw UserError(file.string() + " belongs to user " + std::to_string(status.st_uid) +
                    ", not to you; make a file of your own there");
  }
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    throw UserError(file.string() + " may be written by others; run: chmod go-w " + file.string());
  }
}

void require_known(const json& object, const std::vector<std::string_view>& known,
                   const std::string& where) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    throw UserError(where + ": the key '" + key + "' is unknown; did you mean '" +
                    nearest_name(key, known) + "'?");
  }
}

std::string amount(const json& config, const std::string& key, const std::string& where) {
  if (!config.contains(key)) return "";
  if (config[key].is_number()) return config[key].dump();
  throw UserError(where + ": '" + key + "' is " + config[key].dump() + "; give a number");
}

bool is_right(const std::string& key, const json& value) {
  if (key != "command") return value.is_string();
  return value.is_array() && !value.empty() &&
         std::all_of(value.begin(), value.end(), [](const json& word) { return word.is_string(); });
}

}  // namespace

void check_providers(const json& providers, const std::string& where) {
  if (!providers.is_object()) throw UserError(where + ": 'providers' is no object");
  for (const auto& [name, provider] : providers.items()) {
    const std::string whose = where + ": provider '" + name + "'";
    if (!provider.is_object()) throw UserError(whose + " is no object");
    require_known(provider, provider_keys, whose);
    for (const auto& [key, value] : provider.items()) {
      if (is_right(key, value)) continue;
      throw UserError(whose + ": '" + key + "' is " + value.dump() + "; give " +
                      (key == "command" ? "a list of texts" : "a text"));
    }
  }
}

PersonConfig load_person_config(const std::filesystem::path& file) {
  const auto text = read_text(file);
  if (!text) return {};
  require_own(file);
  const std::string where = file.string();
  const json config = parse_json_if_any(*text);
  if (!config.is_object()) throw UserError(where + " is no JSON object");
  require_known(config, keys, where);
  PersonConfig person;
  const auto named = [&](const std::string& key) { return where + ": '" + key + "'"; };
  person.cap = parse_cap({.max_usd = amount(config, "max_usd", where),
                          .max_tokens = amount(config, "max_tokens", where),
                          .max_calls = amount(config, "max_calls", where)},
                         {.max_usd = named("max_usd"),
                          .max_tokens = named("max_tokens"),
                          .max_calls = named("max_calls")});
  if (config.contains("providers")) {
    check_providers(config["providers"], where);
    person.providers = config["providers"];
  }
  return person;
}

}  // namespace robust_kbench
