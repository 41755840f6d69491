#pragma once

#include <string>

namespace robust_kbench {

// A file of /proc, up to more than any environment. Empty where whom it tells about has gone.
std::string proc_file(const std::string& path);

}  // namespace robust_kbench
