#include "runs/kept_settings.hpp"

#include <utility>

#include "core/error.hpp"
#include "runs/run_kind.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

bool may_differ(const std::string& key, const nlohmann::json& wanted,
                const EvolutionSettings& own) {
  if (key == "proposers" || key == "translate") return true;
  const bool names_models = key.ends_with("models") || key.ends_with("_model");
  return names_models && (own.models.empty() || wanted.empty() || wanted == "");
}

}  // namespace

void require_same_settings(const std::string& run, const EvolutionSettings& own,
                           const EvolutionSettings& wanted) {
  const nlohmann::json kept = to_json(own);
  const nlohmann::json asked_for = to_json(wanted);
  for (const auto& [key, value] : asked_for.items()) {
    if (kept.at(key) == value || may_differ(key, value, own)) continue;
    throw UserError(fmt::format(
        "run {} has {}={}, and a run keeps its settings; leave out what asks for {}={}, or begin "
        "another run",
        run, key, kept.at(key).dump(), key, value.dump()));
  }
}

EvolutionSettings kept_settings(const RunRow& run, const ModelChoices& models,
                                const std::function<void(EvolutionSettings&)>& apply_options) {
  EvolutionSettings settings = settings_of_run(run);
  EvolutionSettings wanted = settings;
  apply_options(wanted);
  require_same_settings(run.id, models.in_use(settings), models.in_use(std::move(wanted)));
  return settings;
}

}  // namespace robust_kbench
