#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// The source form of a mangled C++ name, escaped. Any other text is only escaped.
std::string demangled(std::string_view name);

}  // namespace robust_kbench
