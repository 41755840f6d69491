#pragma once

#include <filesystem>
#include <string>

#include "command/command_line.hpp"
#include "command/program.hpp"

namespace robust_kbench {

// The directory of the archive: the given one, else $ROBUST_KBENCH_ARCHIVE, else `evolution` in the
// build whose manifest the program uses.
std::filesystem::path archive_directory(const Program& program, const std::string& given);

// Returns " --archive DIRECTORY" for commands that a person is shown, or nothing where the option
// was not given.
std::string archive_words(const std::string& given);

}  // namespace robust_kbench
