#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace robust_kbench {

// The prerequisites of a Makefile rule, still escaped, line continuations removed. Empty where
// there is none.
std::string prerequisites(const std::filesystem::path& rule_file);

// The files that they name.
std::vector<std::filesystem::path> prerequisite_files(const std::filesystem::path& rule_file);

}  // namespace robust_kbench
