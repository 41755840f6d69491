#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace robust_kbench {

// The beginning of every printed command: the words that run this build's `rkb` from any directory.
// They are its absolute path, and --manifest where a manifest was named.
//
// The path is that of `rkb` beside this program, which may be rkb_cases or rkb_bench. A program
// that embeds the suite has no `rkb` beside it. Then the word is "rkb", to be found in PATH.
std::string own_command();

// The command line that started this program, for a shell in any directory. The last occurrence of
// each word of `left_out` is left out.
std::string own_command_line(const std::vector<std::string>& left_out = {});

// Makes all commands that are printed later name this manifest, which the program was given.
void name_manifest_in_commands(const std::filesystem::path& manifest);

// `path` as one word of a printed command: absolute, quoted where a shell needs it.
std::string path_word(const std::filesystem::path& path);

}  // namespace robust_kbench
