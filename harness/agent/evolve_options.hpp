#pragma once

#include <optional>
#include <string>
#include <vector>

#include "archive/rows.hpp"
#include "command/command_line.hpp"
#include "command/fleet_options.hpp"
#include "llm/cap_source.hpp"
#include "runs/start_kernels.hpp"

namespace robust_kbench {

// The options of `rkb evolve` and `rkb tune`.
struct EvolveCommandOptions {
  EvolvedEntry entry;
  std::string settings_file;
  std::vector<std::string> assignments;
  std::string seed_kernel;
  std::string archive;
  std::string resume;
  std::string replay;
  std::string prior;
  std::string preset;
  CapTexts cap;
  std::string json;
  FleetOptions workers;
  bool translate = false;
  bool unsafe = false;
  bool all = false;
  bool dry_run = false;
  bool show_prompt = false;
  bool schema = false;
};

// Declares them. `tune_only` leaves out those that are for language models. `options` outlives the
// parsing.
void add_evolve_options(CommandLine& command, EvolveCommandOptions& options, bool tune_only);

// Throws UserError for options that cannot go together.
void require_sound(const EvolveCommandOptions& options);

// Fills in what options leave out of the entry from the run that goes on, or is replayed. Throws
// UserError where an option contradicts it, and where no task is named.
EvolvedEntry completed_entry(EvolvedEntry entry, const std::optional<RunRow>& known);

}  // namespace robust_kbench
