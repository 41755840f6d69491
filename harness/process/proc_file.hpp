#pragma once

#include <string>
#include <vector>

namespace robust_kbench {

// The content of a file of /proc, up to a limit above any environment's size. Empty if its process
// has gone.
std::string proc_file(const std::string& path);

// The names in a directory of /proc; none if its process has gone.
std::vector<std::string> proc_entries(const std::string& path);

}  // namespace robust_kbench
