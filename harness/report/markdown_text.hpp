#pragma once

#include <string>

namespace robust_kbench {

// A fenced block whose fence is not in the text.
std::string markdown_block(const std::string& text);

// Text in the type of code, on one line, in which nothing is markup.
std::string markdown_code(const std::string& text);

}  // namespace robust_kbench
