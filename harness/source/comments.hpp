#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// The source without its comments. Lines keep their numbers. A comment between two tokens leaves a
// space, and one at the end of a line leaves nothing. After a stray backslash it leaves a comment
// that is empty.
std::string without_comments(std::string_view source);

}  // namespace robust_kbench
