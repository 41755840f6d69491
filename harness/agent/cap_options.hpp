#pragma once

#include "command/command_line.hpp"
#include "llm/cap_source.hpp"

namespace robust_kbench {

// Declares --max-usd, --max-tokens and --max-calls. `cap` outlives the parsing.
void add_cap_options(CommandLine& command, CapTexts& cap);

}  // namespace robust_kbench
