#pragma once

#include <stop_token>
#include <string>

#include "archive/archive.hpp"
#include "cli/model_use.hpp"
#include "cli/suite.hpp"
#include "evolve/settings.hpp"

namespace robust_kbench {

// Evolves every entry of the suite that has a kernel for the device, one after another, and prints
// one table. An entry whose run of equal settings has ended is not repeated, and one that was
// interrupted goes on. `device` and `gpus` are as in EvolvedEntry. Returns an exit code.
int evolve_all(const Suite& suite, Archive& archive, ModelUse& models,
               const EvolutionSettings& settings, const std::string& device,
               const std::vector<int>& gpus, const std::stop_token& stop);

}  // namespace robust_kbench
