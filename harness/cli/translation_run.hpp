#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "archive/archive.hpp"
#include "archive/journal.hpp"
#include "cli/model_use.hpp"
#include "evaluate/suite.hpp"
#include "evolve/settings.hpp"

namespace robust_kbench {

// Begins a run of the archive in which a reference is translated. Its settings are those of an
// evolution, as its member `translation`. Returns its id.
std::string begin_translation(Archive& archive, const Entry& entry, Device device,
                              const EvolutionSettings& settings);

// The settings of such a run. Throws UserError for a run of another kind.
EvolutionSettings translation_settings(const Archive& archive, const std::string& run);

// Carries the run out, or goes on with it, and shows each attempt on stderr. With `recorded`, that
// run answers in place of models and evaluations. The references outlive the call. See
// Translation::run().
RunRow translate(const Suite& suite, Archive& archive, const std::string& run, ModelUse& models,
                 const std::optional<RecordedRun>& recorded, const std::stop_token& stop);

}  // namespace robust_kbench
