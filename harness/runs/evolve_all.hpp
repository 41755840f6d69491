#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "core/manifest.hpp"
#include "evolve/settings.hpp"
#include "runs/evolution_run.hpp"
#include "runs/model_use.hpp"
#include "runs/run.hpp"

// Evolutions of all entries of a suite, one after another.
namespace robust_kbench {

// Returns the entries that the suite has kernels of, in the manifest's order.
std::vector<Entry> evolved_entries(const Manifest& manifest);

// Returns what the command's runs of these settings have asked of models so far, also for
// translations and before an interrupt.
std::vector<CallRow> calls_of_all(const Archive& archive, const EvolutionSettings& settings);

// The steps of one of the evolutions.
struct EvolveEach {
  // Plans it. Throws UserError where the entry cannot be evolved.
  std::function<EvolutionRun(const Entry& entry)> plan;
  // Carries it out; `resumed` as for EvolutionRun::go().
  std::function<RunRow(EvolutionRun& evolution, const std::string& resumed)> go;
  // Is told of an entry that cannot be evolved.
  std::function<void(const Entry& entry, const std::string& why)> failed;
};

struct AllEvolutions {
  std::vector<RunRow> runs;
  int failed = 0;
  std::string ended_early;  // why not all were carried out; empty: all were
};

// Evolves all entries of the suite. An entry whose run of equal settings has ended is not repeated,
// and one that was interrupted goes on. All end where models are asked and may not be asked any
// more.
AllEvolutions evolve_all(const RunContext& context, const EvolutionSettings& settings,
                         const EvolveEach& each);

}  // namespace robust_kbench
