#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "source/tokens.hpp"

namespace robust_kbench {

// A name that a source gives a value: `const T name = value;`, `constexpr T name = value;`,
// `using name = value;` or `#define name value`.
struct Constant {
  std::string name;
  std::string value;       // as it is written
  std::size_t offset = 0;  // of the value in the source, in bytes
  int line = 0;            // on which the value ends
};

// The constants of a source in its order.
std::vector<Constant> constants_of(const std::vector<Token>& tokens);

// The value of a constant as a number, where it is one decimal integer, perhaps with a suffix.
std::optional<long long> integer_of(const std::string& value);

}  // namespace robust_kbench
