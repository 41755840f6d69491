#pragma once

#include <filesystem>
#include <string>

#include "cli/command.hpp"

namespace robust_kbench {

// The manifest that the program uses, which may be missing, and the directory of its build.
std::filesystem::path manifest_file(const Program& program);
std::filesystem::path build_directory(const Program& program);

// The directory of the archive: the given one, else $ROBUST_KBENCH_ARCHIVE, else `evolution` in the
// build whose manifest the program uses.
std::filesystem::path archive_directory(const Program& program, const std::string& given);

// Returns " --archive DIRECTORY" for commands that a person is shown, or nothing where the option
// was not given.
std::string archive_words(const std::string& given);

}  // namespace robust_kbench
