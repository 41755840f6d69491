#pragma once

#include <filesystem>
#include <string>

namespace robust_kbench {

// The directory of CMake's build that holds `file`, empty where none does.
std::filesystem::path build_around(const std::filesystem::path& file);

// The directory of sources that this build was configured from, empty where that is unknown.
std::filesystem::path sources_of_build(const std::filesystem::path& build);

// The command that builds a target of the build that holds `file`. A shell reads it in any
// directory: "cmake --build /work/build --target kernels".
std::string build_command(const std::filesystem::path& file, const std::string& target);

// The command that configures that build again.
std::string configure_command(const std::filesystem::path& file);

}  // namespace robust_kbench
