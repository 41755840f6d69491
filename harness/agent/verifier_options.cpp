#include "agent/verifier_options.hpp"

#include "agent/cap_options.hpp"
#include "agent/settings_file.hpp"
#include "command/common_options.hpp"

namespace robust_kbench {

void add_verifier_run_options(CommandLine& command, VerifierRunOptions& options) {
  add_common_option(command, "--model", options.model, "default: the provider's verifier");
  add_common_option(command, "--settings", options.settings);
  command
      .add_option("--transport", options.transport,
                  "manual: questions and answers are files in the run's directory")
      .one_of({"helper", "manual"});
  add_cap_options(command, options.cap);
  add_common_option(command, "--dry-run", options.dry_run);
  add_common_option(command, "--archive", options.archive);
  add_common_option(command, "--resume", options.resume);
  add_common_option(command, "--replay", options.replay);
}

void add_reflections_option(CommandLine& command, VerifierRunOptions& options) {
  command
      .add_option("--reflections", options.reflections,
                  "Second looks at each review; default: those of the settings")
      .between(0, 5);
}

void apply_verifier_options(EvolutionSettings& settings, const VerifierRunOptions& options) {
  if (!options.settings.empty()) {
    apply_settings(settings, settings_file(options.settings), options.settings);
  }
  if (!options.transport.empty()) settings.transport = options.transport;
  if (options.reflections >= 0) settings.reflections = options.reflections;
  if (!options.model.empty()) settings.verifier_model = options.model;
  if (!options.writer.empty()) {
    settings.models = {options.writer};
  } else if (!options.model.empty()) {
    settings.models = {options.model};
  }
  if (options.generations > 0) settings.writer_generations = options.generations;
  if (options.raw_mistakes) settings.writer_summary = false;
  if (settings.models.size() > 1) settings.models.resize(1);
}

}  // namespace robust_kbench
