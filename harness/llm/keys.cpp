#include "llm/keys.hpp"

#include <cstdlib>
#include <cstring>

namespace robust_kbench {

std::map<std::string, std::string> take_keys(const std::vector<std::string>& variables) {
  std::map<std::string, std::string> keys;
  for (const std::string& variable : variables) {
    char* value = std::getenv(variable.c_str());
    if (value == nullptr) continue;
    if (*value != '\0') keys[variable] = value;
    // /proc shows the memory in which the environment began, whatever unsetenv() does.
    explicit_bzero(value, std::strlen(value));
    unsetenv(variable.c_str());
  }
  return keys;
}

void forget(std::map<std::string, std::string>& keys) {
  for (auto& [variable, key] : keys) explicit_bzero(key.data(), key.size());
  keys.clear();
}

}  // namespace robust_kbench
