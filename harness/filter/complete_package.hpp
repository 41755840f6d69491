#pragma once

#include <filesystem>

namespace robust_kbench {

// Adds to a package which probes its task has, and what its limits tell apart (docs/packages.md).
// Both are judged as kernels are, on the CPU, where a reference is quick. `scratch` is a directory
// for this call alone. Throws UserError where the file is no package.
void complete_package(const std::filesystem::path& package, const std::filesystem::path& scratch);

}  // namespace robust_kbench
