#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "core/manifest.hpp"

namespace robust_kbench {

// A kernel's sources and the files that they include between quotes by relative names, directly or
// indirectly. A scan of the texts finds them, and knows no macros.
std::set<std::filesystem::path> quoted_files(const KernelSource& kernel);

// The texts of all these files, one after the other.
std::string quoted_text(const KernelSource& kernel);

}  // namespace robust_kbench
