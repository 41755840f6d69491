#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// A line on the way from one text to another: '-' of the first, '+' of the second, ' ' of both. It
// has its newline, which the last line of a text may lack.
struct LineEdit {
  char mark;
  std::string_view line;
};

// The shortest way from one text to another, of which the result has views. The lines between the
// first and the last difference are compared in memory of the product of both counts. Where that is
// over 100 MB, all are replaced.
std::vector<LineEdit> line_edits(std::string_view before, std::string_view after);

// The same as `diff -u` prints it with three lines of context. Empty where the texts are equal.
std::string unified_diff(std::string_view before_name, std::string_view before,
                         std::string_view after_name, std::string_view after);

}  // namespace robust_kbench
