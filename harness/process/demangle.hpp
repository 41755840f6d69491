#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// A mangled C++ name as it stands in the source, escaped; any other text only escaped.
std::string demangled(std::string_view name);

}  // namespace robust_kbench
