#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "llm/person_config.hpp"
#include "llm/surroundings.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// The endpoint of one provider, and the key that it gets.
struct Provider {
  std::string base_url;           // empty for the wire `command`
  std::string wire;               // openai, anthropic or command
  std::string key_variable;       // empty: none is needed
  std::string base_url_variable;  // a variable with another base URL; empty: none
  std::string like;               // the provider of the table whose models it offers; empty: itself
  std::string prices;             // its name in the price list; empty: its models have no price
  std::string listed_prefix;      // of each name in the endpoint's list of models; empty: none
  std::vector<std::string> command;

  friend bool operator==(const Provider&, const Provider&) = default;
};

// Providers by name. A key goes only to the host of a provider that lists it.
using Providers = std::map<std::string, Provider>;

// The built-in table, a JSON file of the helper, with the person's configuration over it. Throws
// HarnessError where the table cannot be read.
//
// Throws UserError for a provider of the configuration whose wire is unknown, or whose base URL is
// missing or unsafe (base_url.hpp). Throws for one whose `like` is unknown, too, and for a program
// with prices.
Providers known_providers(const std::filesystem::path& table, const PersonConfig& config);

// The providers of these models ("provider/name"). A base URL in a person's variable replaces the
// table's, but not the configuration's.
//
// `committed` is the part of a settings file in the form of the configuration's `providers`. It may
// only repeat entries that apply anyway. Throws UserError for anything else, with the line that
// would allow it. Throws for a model without a known provider, too. A base URL in a variable is
// refused below a build tool, whose presets may have set it.
Providers used_providers(const Providers& known, const std::vector<std::string>& models,
                         const nlohmann::json& committed, const Surroundings& surroundings,
                         const PersonConfig& config);

// The form in which the helper gets them.
nlohmann::json to_json(const Providers& providers);

// The variables that hold their keys, each once.
std::vector<std::string> key_variables(const Providers& providers);

}  // namespace robust_kbench
