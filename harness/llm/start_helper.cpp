#include "llm/start_helper.hpp"

#include "core/error.hpp"
#include "llm/key_guard.hpp"
#include "llm/keys.hpp"
#include "llm/providers.hpp"

namespace robust_kbench {
namespace {

void require_keys(const Providers& used, const std::map<std::string, std::string>& keys) {
  for (const auto& [name, provider] : used) {
    if (provider.key_variable.empty() || keys.contains(provider.key_variable)) continue;
    throw UserError("the provider '" + name + "' needs a key, and " + provider.key_variable +
                    " is not set; export the key in it");
  }
}

}  // namespace

std::unique_ptr<Helper> start_helper(const HelperProgram& program,
                                     const std::vector<std::string>& models,
                                     const nlohmann::json& committed,
                                     const Surroundings& surroundings, const PersonConfig& config) {
  const Providers known = known_providers(program.providers(), config);
  const Providers used = used_providers(known, models, committed, surroundings, config);
  HelperStart start;
  const KeyGuard guard(start.keys);
  // Before the installation, which starts other programs.
  start.keys = take_keys(key_variables(known));
  require_keys(used, start.keys);
  forget_others(start.keys, key_variables(used));
  start.arguments = prepare(program);
  start.environment = helper_environment(program, surroundings);
  start.providers = to_json(used);
  return std::make_unique<Helper>(start);
}

}  // namespace robust_kbench
