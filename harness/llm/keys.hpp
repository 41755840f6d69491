#pragma once

#include <map>
#include <string>
#include <vector>

namespace robust_kbench {

// Moves the values of these variables out of the environment of this process. So programs that are
// started later do not inherit them, and this process's /proc/<pid>/environ does not show them.
// Variables that are not set are left out.
std::map<std::string, std::string> take_keys(const std::vector<std::string>& variables);

// Overwrites and removes the values of all but the needed variables.
void forget_others(std::map<std::string, std::string>& keys,
                   const std::vector<std::string>& needed);

}  // namespace robust_kbench
