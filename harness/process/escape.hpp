#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// Escapes control characters (except newline and tab) and bytes that are not UTF-8 as \xNN. Text of
// kernels and compilers must not control a terminal or a log viewer, nor break a JSON file.
std::string escaped(std::string_view text);
// Like escaped(), for text that has to stay on one line: newlines are escaped, too.
std::string escaped_line(std::string_view text);

}  // namespace robust_kbench
