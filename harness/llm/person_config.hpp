#pragma once

#include <filesystem>

#include "llm/spending_cap.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// The person's configuration for all repositories. All keys of the file are optional: max_usd,
// max_tokens, max_calls and providers.
struct PersonConfig {
  SpendingCap cap;
  // One object for each name. Its members are base_url, wire, key_variable, like, prices,
  // listed_prefix and command, and all are optional.
  nlohmann::json providers = nlohmann::json::object();
};

// Without the file everything is empty. Throws UserError for a file of another owner, or one that
// others may write. Throws for one that is no JSON object, for an unknown key, with the nearest
// known one, and for a value of another type.
PersonConfig load_person_config(const std::filesystem::path& file);

// Throws UserError unless this is an object of providers in the configuration's form. `where` names
// the file in messages.
void check_providers(const nlohmann::json& providers, const std::string& where);

}  // namespace robust_kbench
