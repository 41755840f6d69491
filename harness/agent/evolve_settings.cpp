#include "agent/evolve_settings.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "agent/settings_file.hpp"
#include "core/error.hpp"
#include "evolve/preset.hpp"
#include "runs/kept_settings.hpp"
#include "runs/run_kind.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

void apply_options(EvolutionSettings& settings, const EvolveCommandOptions& options,
                   bool tune_only) {
  const std::string kept_report = settings.report;
  if (!options.settings_file.empty()) {
    apply_settings(settings, settings_file(options.settings_file), options.settings_file);
  }
  for (const std::string& assignment : options.assignments) apply_setting(settings, assignment);
  if (!options.seed_kernel.empty()) settings.seed_kernel = options.seed_kernel;
  if (!options.prior.empty()) settings.prior = options.prior;
  if (options.translate) settings.translate = true;
  if (tune_only) settings.proposers = {"tune"};
  // A run that goes on in another directory renews the same page.
  if (!settings.report.empty() && settings.report != kept_report) {
    settings.report = std::filesystem::absolute(settings.report).lexically_normal();
  }
}

EvolutionSettings new_settings(const EvolveCommandOptions& options, ModelUse& models,
                               bool tune_only) {
  EvolutionSettings settings =
      tune_only ? EvolutionSettings() : models.choices().preset(options.preset);
  apply_options(settings, options, tune_only);
  EvolutionSettings used = models.choices().resolved(settings);
  // A plan without a cap shows the run that a cap would allow.
  const bool plans_models = options.dry_run && options.preset.empty() && !tune_only &&
                            asks_models(used) && used.transport != "manual";
  if (plans_models && !models.choices().is_default()) {
    settings = settings_with_models();
    apply_options(settings, options, tune_only);
    used = models.choices().resolved(settings);
  }
  return used;
}

}  // namespace

EvolutionSettings settings_of(const EvolveCommandOptions& options, ModelUse& models,
                              const std::optional<RunRow>& known, bool tune_only) {
  models.read_settings_of(options.settings_file);
  if (!known) return new_settings(options, models, tune_only);
  require_kind(*known, RunKind::evolution);
  return kept_settings(*known, models.choices(), [&](EvolutionSettings& settings) {
    apply_options(settings, options, tune_only);
  });
}

void hand_keys_over(const EvolutionSettings& settings, const EvolveCommandOptions& options,
                    const ModelUse& models) {
  EvolutionSettings given;
  if (models.choices().surroundings().build_tool.empty()) {
    for (const std::string& assignment : options.assignments) {
      if (assignment.starts_with("command_environment=")) apply_setting(given, assignment);
    }
  }
  const std::vector<std::string>& own = given.command_environment;
  for (const std::string& variable : settings.command_environment) {
    if (!models.holds_key(variable) || std::ranges::find(own, variable) != own.end()) continue;
    throw UserError(fmt::format(
        "the settings give {} to a program, which holds a key of yours; to allow it, give "
        "--set 'command_environment={}' on a command line that no build tool starts",
        variable, nlohmann::json(settings.command_environment).dump()));
  }
  if (!asks_models(settings)) {
    models.drop_keys_but(own);
  } else if (std::ranges::any_of(own, [&](const auto& name) { return models.holds_key(name); })) {
    throw UserError(
        "where models are asked, the keys are theirs, and no program gets one; leave them out of "
        "command_environment, or let the program propose in a run of its own");
  }
}

}  // namespace robust_kbench
