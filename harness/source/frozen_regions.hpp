#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// A part of a source that no proposal may change, and where it stands.
struct FrozenRegion {
  std::string text;
  // The conditional directives around it, outermost first, each with those that divide it before
  // the region.
  std::vector<std::string> conditions = {};
  int open_brackets = 0;  // before it: ( [ {
  // The #define and #undef of its words and of the words of these macros, with their conditions. A
  // flag says whether the line stands before the region.
  std::vector<std::string> macros = {};

  bool operator==(const FrozenRegion&) const = default;
};

// The frozen regions of a source in their order. A region is the lines after a line `// frozen:
// begin`, up to the next line `// frozen: end` or the file's end. Within another comment, a literal
// or a directive these lines mark nothing.
std::vector<FrozenRegion> frozen_regions(std::string_view source);

}  // namespace robust_kbench
