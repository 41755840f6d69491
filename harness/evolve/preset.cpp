#include "evolve/preset.hpp"

#include "evolve/starts.hpp"

namespace robust_kbench {

EvolutionSettings settings_with_models() {
  EvolutionSettings settings;
  settings.minutes = 60;
  settings.max_generations = 10;
  settings.plateau = 80;
  return settings;
}

EvolutionSettings paper_settings() {
  EvolutionSettings settings = settings_with_models();
  settings.proposers = {"llm"};
  settings.minutes = 120;
  settings.plateau = 1000;
  settings.configs = "single";
  settings.estimators = {"events"};
  settings.max_output_tokens = 8192;
  settings.temperatures = {"0", "0.5", "0.75", "1"};
  settings.efforts = {"auto", "high", "medium", "low"};
  settings.context = "top";
  settings.context_size = 5;
  settings.show_shapes = false;
  settings.repairs = 0;
  settings.tune_share = 0;
  settings.profile_summary = "llm";
  settings.votes = "on";
  settings.gate = "rank";
  settings.population = 8;
  settings.evaluated = 4;
  settings.verifier_effort = "low";
  settings.verifier_output_tokens = 4096;
  settings.reflections = 1;
  settings.translate = true;
  settings.seed_kernel = translated_start;
  settings.translate_temperature = "1";
  settings.translate_effort = "high";
  settings.translate_output_tokens = 16384;
  settings.translate_attempts = 10;
  settings.error_summary = true;
  return settings;
}

}  // namespace robust_kbench
