#pragma once

#include <string>
#include <vector>

#include "command/command_line.hpp"
#include "core/fleet_options.hpp"

namespace robust_kbench {

// Declares the options of pilots. `options` outlives the parsing.
void add_fleet_options(CommandLine& command, FleetOptions& options);
// Throws UserError for options that cannot go together.
void require_sound(const FleetOptions& options);

// Returns the words that say the same to another command.
std::vector<std::string> words_of(const FleetOptions& options);
// The names of all of these options.
const std::vector<std::string>& fleet_option_names();

}  // namespace robust_kbench
