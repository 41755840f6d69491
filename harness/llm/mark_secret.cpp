#include "llm/mark_secret.hpp"

#include <array>
#include <cstdio>

#include "core/seed.hpp"

namespace robust_kbench {

std::string new_mark_secret() {
  constexpr int words = 4;
  std::string secret;
  for (int word = 0; word < words; ++word) {
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx",
                  static_cast<unsigned long long>(secret_key()));
    secret += digits.data();
  }
  return secret;
}

}  // namespace robust_kbench
