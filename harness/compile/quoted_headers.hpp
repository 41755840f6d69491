#pragma once

#include <filesystem>
#include <set>

#include "core/manifest.hpp"

namespace robust_kbench {

// A kernel's sources and the files that they include between quotes by relative names, as far as a
// scan of their texts finds them, and what those include likewise.
std::set<std::filesystem::path> quoted_files(const KernelSource& kernel);

}  // namespace robust_kbench
