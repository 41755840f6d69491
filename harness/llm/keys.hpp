#pragma once

#include <map>
#include <string>
#include <vector>

namespace robust_kbench {

// Moves the values of these variables out of the environment of this process. So no program that
// is started later gets them, and none finds them in this process's /proc/<pid>/environ. Variables
// that are not set are left out.
std::map<std::string, std::string> take_keys(const std::vector<std::string>& variables);

// Overwrites the values of all but the needed variables, and leaves them out.
void forget_others(std::map<std::string, std::string>& keys,
                   const std::vector<std::string>& needed);

}  // namespace robust_kbench
