#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace robust_kbench {

// The prerequisites of a Makefile rule but for one, still escaped, line continuations removed.
// Empty where there is none.
std::string prerequisites(const std::filesystem::path& rule_file, const std::string& left_out = "");

// The files that they name.
std::vector<std::filesystem::path> prerequisite_files(const std::filesystem::path& rule_file);

}  // namespace robust_kbench
