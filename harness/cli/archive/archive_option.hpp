#pragma once

#include <filesystem>
#include <string>

#include "cli/command.hpp"

namespace robust_kbench {

// --archive. `directory` must outlive the parsing.
void add_archive_option(CommandLine& command, std::string& directory);

// The directory of the archive: the given one, else $ROBUST_KBENCH_ARCHIVE, else `evolution` in the
// build whose manifest the program uses.
std::filesystem::path archive_directory(const Program& program, const std::string& given);

}  // namespace robust_kbench
