#pragma once

#include <string>
#include <vector>

namespace robust_kbench {

// The words of the command line that started this program, without its own name.
std::vector<std::string> own_words();

}  // namespace robust_kbench
