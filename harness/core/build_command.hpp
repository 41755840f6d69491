#pragma once

#include <filesystem>
#include <string>

namespace robust_kbench {

// The directory of CMake's build that holds `file`, empty where none does.
std::filesystem::path build_around(const std::filesystem::path& file);

// The directory of sources that `build` was configured from, empty where that is unknown.
std::filesystem::path sources_of_build(const std::filesystem::path& build);

// The command that builds `target` in the build that holds `file`, for a shell in any directory:
// "cmake --build /work/build --target kernels".
std::string build_command(const std::filesystem::path& file, const std::string& target);

// The command that configures the build that holds `file` again.
std::string configure_command(const std::filesystem::path& file);

}  // namespace robust_kbench
