#pragma once

#include <string>
#include <vector>

namespace robust_kbench {

// Appends texts, such as arguments or paths.
inline void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace robust_kbench
