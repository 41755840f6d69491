#include "llm/start_helper.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "llm/key_guard.hpp"
#include "llm/keys.hpp"
#include "llm/providers.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t least_key = 8;  // as in keys.py of the helper

void require_keys(const Providers& used, const std::map<std::string, std::string>& keys) {
  for (const auto& [name, provider] : used) {
    if (provider.key_variable.empty()) continue;
    const auto key = keys.find(provider.key_variable);
    if (key == keys.end()) {
      throw UserError("the provider '" + name + "' needs a key, and " + provider.key_variable +
                      " is not set; export the key in it");
    }
    if (key->second.size() < least_key) {
      throw UserError("the key in " + provider.key_variable + " has " +
                      std::to_string(key->second.size()) + " characters, and a key has at least " +
                      std::to_string(least_key) + "; export the whole key in it");
    }
    if (!std::ranges::all_of(key->second, [](char c) { return c > ' ' && c <= '~'; })) {
      throw UserError("the key in " + provider.key_variable +
                      " has a space, a line end or another character that no key has; export the "
                      "key alone in it");
    }
  }
}

}  // namespace

std::unique_ptr<Helper> start_helper(const HelperProgram& program,
                                     const std::vector<std::string>& models,
                                     const nlohmann::json& committed,
                                     const Surroundings& surroundings, const PersonConfig& config,
                                     HelperUse use) {
  const Providers known = known_providers(program.providers(), config);
  const Providers used = used_providers(known, models, committed, surroundings, config);
  HelperStart start;
  const KeyGuard guard(start.keys);
  // Taken before the installation, which starts other programs.
  start.keys = take_keys(key_variables(known));
  const bool asks = use == HelperUse::asks;
  if (asks) require_keys(used, start.keys);
  forget_others(start.keys, asks ? key_variables(used) : std::vector<std::string>());
  start.arguments = prepare(program);
  start.environment = helper_environment(program, surroundings);
  start.providers = to_json(used);
  return std::make_unique<Helper>(start);
}

}  // namespace robust_kbench
