#include "evolve/vote_plan.hpp"

#include <map>
#include <string>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

std::map<Verifier, std::string> instructions_of(const EvolutionSettings& settings) {
  std::map<Verifier, std::string> instructions;
  for (const auto& [name, text] : settings.verifier_instructions.items()) {
    if (!text.is_string()) {
      throw UserError("the setting 'verifier_instructions' has no text for '" + name +
                      "'; give the content of a file of `rkb tune-verifier`");
    }
    instructions[parse_verifier(name)] = text;
  }
  return instructions;
}

}  // namespace

bool asks_verifiers(const EvolutionSettings& settings) {
  return settings.votes == "on" || settings.votes == "audit";
}

VotePlan::Power vote_power(const EvolutionSettings& settings) {
  if (settings.votes != "on") return VotePlan::Power::none;
  if (settings.gate == "rank") return VotePlan::Power::rank;
  return settings.gate == "majority" ? VotePlan::Power::majority : VotePlan::Power::none;
}

VerifierOptions verifier_options(const EvolutionSettings& settings) {
  return {.choice = model_choice(settings.verifier_model, settings.verifier_temperature,
                                 settings.verifier_effort, settings.verifier_output_tokens,
                                 "verifier_output_tokens"),
          .reflections = settings.reflections,
          .instructions = instructions_of(settings)};
}

}  // namespace robust_kbench
