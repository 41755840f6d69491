#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace robust_kbench {

// The prerequisites of a Makefile rule except `left_out`, still escaped, without line
// continuations. Empty if the file has no rule.
std::string prerequisites(const std::filesystem::path& rule_file, const std::string& left_out = "");

// The files among the prerequisites, unescaped.
std::vector<std::filesystem::path> prerequisite_files(const std::filesystem::path& rule_file);

}  // namespace robust_kbench
