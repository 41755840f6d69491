#pragma once

#include <filesystem>

namespace robust_kbench {

// The directory of files that can be made again: $RKB_CACHE, else $XDG_CACHE_HOME/robust_kbench,
// else ~/.cache/robust_kbench. It may not exist yet. Empty where there is no home.
std::filesystem::path cache_directory();

// The directory of a user's own files: $XDG_DATA_HOME/robust_kbench, else
// ~/.local/share/robust_kbench. It may not exist yet. Empty where there is no home.
std::filesystem::path data_directory();

}  // namespace robust_kbench
