#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// A mangled name as it stands in the source, escaped; any other text only escaped.
std::string demangled(std::string_view name);

// Of a demangled name what a person calls it: without parameters, return type and unnamed
// namespaces. "void (anonymous namespace)::norm<4>(float const*)" is "norm<4>".
std::string short_kernel_name(std::string_view name);

}  // namespace robust_kbench
