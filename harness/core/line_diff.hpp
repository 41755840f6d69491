#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// One line of an edit script: '-' is in the first text only, '+' in the second only, ' ' in both.
// The line has its newline, which the last line of a text may lack.
struct LineEdit {
  char mark;
  std::string_view line;
};

// The shortest edit script from one text to another. The result has views of both texts. Between
// the first and the last difference, the comparison takes memory in proportion to the product of
// both line counts. Where that is over 100 MB, all of these lines are replaced.
std::vector<LineEdit> line_edits(std::string_view before, std::string_view after);

// The edits as `diff -u` prints them with three lines of context. Empty where the texts are equal.
std::string unified_diff(std::string_view before_name, std::string_view before,
                         std::string_view after_name, std::string_view after);

}  // namespace robust_kbench
