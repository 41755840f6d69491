#pragma once

#include <string>
#include <vector>

namespace robust_kbench {

// Adds texts, such as arguments or paths, behind those that are there.
inline void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace robust_kbench
