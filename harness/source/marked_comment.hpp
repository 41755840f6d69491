#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/tokens.hpp"

namespace robust_kbench {

// A comment that speaks to the suite: `// tune: ...`, `// restriction: ...` or `// options: ...`.
struct MarkedComment {
  std::string mark;        // "tune", "restriction" or "options"
  std::string_view text;   // after the colon, without spaces around it
  std::size_t offset = 0;  // of the comment in the source, in bytes
  std::size_t text_offset = 0;
  int line = 0;
};

// The marked comments of a source in its order, those at the end of a directive included.
std::vector<MarkedComment> marked_comments(const std::vector<Token>& tokens);

// The text without spaces at both ends. Tabs and line ends stay, so that nothing hides in them.
std::string_view without_spaces(std::string_view text);

// The items between commas outside of brackets, without spaces around them.
std::vector<std::string> comma_separated(std::string_view text);

}  // namespace robust_kbench
