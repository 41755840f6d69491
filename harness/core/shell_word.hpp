#pragma once

#include <string>

namespace robust_kbench {

// `text` as one word of a POSIX shell, in single quotes where it needs them.
std::string shell_word(const std::string& text);

}  // namespace robust_kbench
