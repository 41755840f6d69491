#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// Control characters (but newline and tab) and bytes that are no UTF-8 as \xNN: text of kernels and
// compilers must not steer a terminal or a log reader, nor break a JSON file.
std::string escaped(std::string_view text);

}  // namespace robust_kbench
