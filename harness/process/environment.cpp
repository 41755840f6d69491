#include "process/environment.hpp"

#include <cstdlib>

namespace robust_kbench {

std::vector<std::string> named_variables(const std::vector<const char*>& names) {
  std::vector<std::string> variables;
  for (const char* name : names) {
    if (const char* value = std::getenv(name)) {
      variables.push_back(std::string(name) + "=" + value);
    }
  }
  return variables;
}

}  // namespace robust_kbench
