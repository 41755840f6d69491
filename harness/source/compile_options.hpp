#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "source/tokens.hpp"

namespace robust_kbench {

// A comment in which a source asks for compile options:
//   // options: -ffast-math -funroll-loops
//   // options: -O3  // tune: -O3, -O2 -funroll-loops, none
// The second form has alternatives, as a constant has (tunables.hpp). `none` is no option at all.
struct OptionLine {
  std::string options;
  std::vector<std::string> alternatives;
  std::size_t offset = 0;  // of `options` in the source, in bytes
  int line = 0;            // from 1
};

// The option lines of a source in its order. Throws SourceError where one is empty, or a second one
// has alternatives.
std::vector<OptionLine> option_lines(const std::vector<Token>& tokens);

// The closed lists, for people: the options that a source may ask for, with spaces between them.
std::string allowed_compile_options(bool cuda);

// The options that a source asks for, one by one, in its order. An option outside of the compiler's
// closed list is refused, in the alternatives, too: options can start programs and read files.
// Throws SourceError, which names the list.
std::vector<std::string> compile_options_of(std::string_view source, bool cuda);

}  // namespace robust_kbench
