#include "llm/keys.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace robust_kbench {

std::map<std::string, std::string> take_keys(const std::vector<std::string>& variables) {
  std::map<std::string, std::string> keys;
  for (const std::string& variable : variables) {
    char* value = std::getenv(variable.c_str());
    if (value == nullptr) continue;
    if (*value != '\0') keys[variable] = value;
    // /proc shows the environment's original memory, which unsetenv() does not clear.
    explicit_bzero(value, std::strlen(value));
    unsetenv(variable.c_str());
  }
  return keys;
}

void forget_others(std::map<std::string, std::string>& keys,
                   const std::vector<std::string>& needed) {
  for (auto key = keys.begin(); key != keys.end();) {
    if (std::find(needed.begin(), needed.end(), key->first) != needed.end()) {
      ++key;
      continue;
    }
    explicit_bzero(key->second.data(), key->second.size());
    key = keys.erase(key);
  }
}

}  // namespace robust_kbench
