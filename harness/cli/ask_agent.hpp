#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace robust_kbench {

// Runs `agent`, which is the program `rkb_agent`, with these words to its end. Throws UserError
// with what it says of the user's input. Throws HarnessError where it fails otherwise: `failed`,
// such as "the package was not judged", and what it said. Throws Cancelled if `stop` is requested
// before the end.
void ask_agent(const std::filesystem::path& agent, std::vector<std::string> words,
               const std::string& failed, const std::stop_token& stop = {});

}  // namespace robust_kbench
