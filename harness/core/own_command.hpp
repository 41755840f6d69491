#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace robust_kbench {

// The words that run `rkb` of this build again, as a shell reads them in any directory. They are
// its absolute path, and --manifest where a manifest was named. Every command that is printed
// begins with them.
//
// The program is this one, or the one beside it where that is rkb_cases or rkb_bench. Where there
// is none, as in a program that embeds the suite, it is "rkb", which PATH then has to find.
std::string own_command();

// The command line that this program was started by, as a shell reads it in any directory. The last
// occurrence of each of the words `left_out` is left out.
std::string own_command_line(const std::vector<std::string>& left_out = {});

// The program was given this manifest. Commands that are printed from now on give it, too.
void name_manifest_in_commands(const std::filesystem::path& manifest);

// `path` as one word of a command that is printed: absolute, quoted where a shell needs it.
std::string path_word(const std::filesystem::path& path);

}  // namespace robust_kbench
