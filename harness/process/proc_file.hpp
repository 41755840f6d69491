#pragma once

#include <string>
#include <vector>

namespace robust_kbench {

// A file of /proc, up to more than any environment. Empty where whom it tells about has gone.
std::string proc_file(const std::string& path);

// The names in a directory of /proc; none where it has gone.
std::vector<std::string> proc_entries(const std::string& path);

}  // namespace robust_kbench
