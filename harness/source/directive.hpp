#pragma once

#include <string>
#include <vector>

#include "source/tokens.hpp"

namespace robust_kbench {

// The words of a directive: "if", "0" of `# if 0  // why`. The sign of a directive is # or %:.
std::vector<std::string> directive_words(const Token& directive);

// The conditional directives around a place of a source, outermost first, each with those that
// divide it before the place.
class OpenConditions {
 public:
  // Takes note of a directive. It must be told of each in its order.
  void pass(const std::vector<std::string>& words);

  [[nodiscard]] const std::vector<std::string>& list() const { return m_conditions; }

 private:
  std::vector<std::string> m_conditions;
};

}  // namespace robust_kbench
