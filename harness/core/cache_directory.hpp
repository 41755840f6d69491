#pragma once

#include <filesystem>

namespace robust_kbench {

// Where what can be made again is kept: $RKB_CACHE, else $XDG_CACHE_HOME/robust_kbench, else
// ~/.cache/robust_kbench. It may not exist yet. Empty where there is no home.
std::filesystem::path cache_directory();

// Where a user's own things are kept: $XDG_DATA_HOME/robust_kbench, else
// ~/.local/share/robust_kbench. It may not exist yet. Empty where there is no home.
std::filesystem::path data_directory();

}  // namespace robust_kbench
