#pragma once

#include <string>

namespace robust_kbench {

// The first page of a file of /proc: more than any stat line, and than a worker's environment.
// Empty where whom it tells about has gone.
std::string proc_file(const std::string& path);

}  // namespace robust_kbench
