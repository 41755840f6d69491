#pragma once

#include "evolve/settings.hpp"

namespace robust_kbench {

// Throws UserError where the proposer `command` has no program that can be run.
void require_command_program(const EvolutionSettings& settings);

}  // namespace robust_kbench
