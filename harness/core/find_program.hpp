#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace robust_kbench {

// The directories of PATH, in their order.
std::vector<std::filesystem::path> search_path();

// The first file `name` in these directories that this user may execute; empty if there is none.
std::filesystem::path find_program(const std::string& name,
                                   const std::vector<std::filesystem::path>& directories);

}  // namespace robust_kbench
