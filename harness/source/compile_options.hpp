#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// The compile options that a source asks for:
//   // options: -ffast-math -funroll-loops
//   // options: -O3 | -O2 -funroll-loops | -ffast-math
// Lines add up. A line with alternatives counts as its first one, the current choice; it is the
// tunable `options` (tunables.hpp), which puts another alternative first. `|` with nothing before
// or after it means no option. At most one line has alternatives.
// Options outside the compiler's closed list are refused: a compiler's option can start a program
// or read a file. Throws SourceError, which names the list.
std::vector<std::string> compile_options_of(std::string_view source, bool cuda);

}  // namespace robust_kbench
