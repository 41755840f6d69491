#include "llm/providers.hpp"

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/text_file.hpp"
#include "llm/base_url.hpp"

namespace robust_kbench {
namespace {

using nlohmann::json;

// Replaces the members that the entry has.
void apply(Provider& provider, const json& entry) {
  provider.base_url = entry.value("base_url", provider.base_url);
  provider.wire = entry.value("wire", provider.wire);
  provider.key_variable = entry.value("key_variable", provider.key_variable);
  provider.base_url_variable = entry.value("base_url_variable", provider.base_url_variable);
  provider.like = entry.value("like", provider.like);
  provider.prices = entry.value("prices", provider.prices);
  provider.listed_prefix = entry.value("listed_prefix", provider.listed_prefix);
  provider.command = entry.value("command", provider.command);
}

void check(const std::string& name, const Provider& provider, const std::string& where) {
  const std::string who = where + ": provider '" + name + "'";
  if (provider.wire == "command") {
    if (provider.command.empty()) throw UserError(who + " has no 'command'; give a list of texts");
    return;
  }
  if (provider.wire != "openai" && provider.wire != "anthropic") {
    throw UserError(who + ": 'wire' is '" + provider.wire + "'; give openai, anthropic or command");
  }
  require_safe_base_url(provider.base_url, who);
}

std::string names_of(const Providers& providers) {
  std::string names;
  for (const auto& [name, provider] : providers) names += (names.empty() ? "" : ", ") + name;
  return names;
}

// A provider of the configuration before its own members apply. It is the table's provider of this
// name. A new provider shares some members of the provider that it is like.
Provider beginning(const std::string& name, const json& entry, const Providers& table,
                   const std::string& where) {
  const auto named = table.find(name);
  Provider provider = named == table.end() ? Provider{} : named->second;
  if (!entry.contains("like")) return provider;
  const auto alike = table.find(entry["like"].get<std::string>());
  if (alike == table.end()) {
    throw UserError(where + ": provider '" + name + "': 'like' is " + entry["like"].dump() +
                    "; give one of " + names_of(table));
  }
  if (named == table.end()) {
    provider.wire = alike->second.wire;
    provider.prices = alike->second.prices;
    provider.listed_prefix = alike->second.listed_prefix;
  }
  return provider;
}

const Provider& provider_of(const Providers& known, const std::string& model) {
  const std::size_t slash = model.find('/');
  const std::string name = model.substr(0, slash);
  if (slash == std::string::npos || slash + 1 == model.size()) {
    throw UserError("the model '" + model + "' has no provider; write it as provider/name");
  }
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  throw UserError("the model '" + model + "' is of an unknown provider; known: " + names_of(known));
}

// A line of the configuration.
std::string line_for(const std::string& name, const json& entry) {
  return json{{name, entry}}.dump();
}

void require_paired(const Providers& known, const json& committed,
                    const Surroundings& surroundings) {
  if (!committed.is_null()) check_providers(committed, "the settings");
  for (const auto& [name, entry] : committed.items()) {
    const auto found = known.find(name);
    Provider wanted = found == known.end() ? Provider{} : found->second;
    apply(wanted, entry);
    if (found != known.end() && wanted == found->second) continue;
    throw UserError("the settings name a host, key, price list or program for the provider '" +
                    name + "' that you have not named yourself; to allow it, put \"providers\": " +
                    line_for(name, entry) + " into " + surroundings.configuration.string());
  }
}

// Applies the base URL in the person's variable, where it counts.
void apply_variable(const std::string& name, Provider& provider, const Surroundings& surroundings,
                    const PersonConfig& config) {
  const std::string& variable = provider.base_url_variable;
  const std::string url = variable.empty() ? "" : surroundings.variable(variable);
  if (url.empty() || url == provider.base_url) return;
  if (config.providers.contains(name) && config.providers[name].contains("base_url")) return;
  if (!surroundings.build_tool.empty()) {
    throw UserError(variable + " does not count below " + surroundings.build_tool +
                    ", whose files may have set it; unset it, or put \"providers\": " +
                    line_for(name, {{"base_url", url}}) + " into " +
                    surroundings.configuration.string());
  }
  require_safe_base_url(url, variable);
  provider.base_url = url;
}

}  // namespace

Providers known_providers(const std::filesystem::path& table, const PersonConfig& config) {
  const json built_in = parse_json_if_any(read_text(table).value_or(""));
  if (!built_in.is_object()) throw HarnessError(table.string() + " is no table of providers");
  Providers table_entries;
  for (const auto& [name, entry] : built_in.items()) apply(table_entries[name], entry);
  Providers known = table_entries;
  const std::string where = "the configuration";
  for (const auto& [name, entry] : config.providers.items()) {
    Provider provider = beginning(name, entry, table_entries, where);
    apply(provider, entry);
    check(name, provider, where);
    if (provider.wire == "command" && (entry.contains("like") || entry.contains("prices"))) {
      throw UserError(where + ": provider '" + name +
                      "' is a program, whose answers have no price; leave 'like' and 'prices' out");
    }
    known[name] = std::move(provider);
  }
  return known;
}

Providers used_providers(const Providers& known, const std::vector<std::string>& models,
                         const json& committed, const Surroundings& surroundings,
                         const PersonConfig& config) {
  Providers used;
  for (const std::string& model : models) {
    Provider provider = provider_of(known, model);
    const std::string name = model.substr(0, model.find('/'));
    apply_variable(name, provider, surroundings, config);
    used[name] = std::move(provider);
  }
  Providers all = used;
  all.insert(known.begin(), known.end());
  require_paired(all, committed, surroundings);
  return used;
}

json to_json(const Providers& providers) {
  json all = json::object();
  for (const auto& [name, provider] : providers) {
    json& entry = all[name];
    entry["wire"] = provider.wire;
    if (provider.wire == "command") {
      entry["command"] = provider.command;
      continue;
    }
    entry["base_url"] = provider.base_url;
    const auto add = [&](const char* member, const std::string& value) {
      if (!value.empty()) entry[member] = value;
    };
    add("key_variable", provider.key_variable);
    add("like", provider.like);
    add("prices", provider.prices);
    add("listed_prefix", provider.listed_prefix);
  }
  return all;
}

std::vector<std::string> key_variables(const Providers& providers) {
  std::set<std::string> variables;
  for (const auto& [name, provider] : providers) {
    if (!provider.key_variable.empty()) variables.insert(provider.key_variable);
  }
  return {variables.begin(), variables.end()};
}

}  // namespace robust_kbench
