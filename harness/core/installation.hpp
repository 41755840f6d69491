#pragma once

#include <filesystem>

// An installation is the tree that `cmake --install` makes. It may be moved, so its programs look
// for all of its files from where they are.
namespace robust_kbench {

// `share/robust_kbench` of the installation that this program is in, or empty in a build.
std::filesystem::path installed_files();

// Whether the manifest is an installation's, and not that of a build.
bool is_of_installation(const std::filesystem::path& manifest);

// The directory in which commands keep what they make: the build that the manifest describes. An
// installation may belong to somebody else, so there it is the user's data_directory(), or the
// current directory where there is no home.
std::filesystem::path results_directory(const std::filesystem::path& manifest);

}  // namespace robust_kbench
