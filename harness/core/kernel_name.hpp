#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// The short form of a demangled name: without parameters, return type and unnamed namespaces. "void
// (anonymous namespace)::norm<4>(float const*)" becomes "norm<4>".
std::string short_kernel_name(std::string_view name);

}  // namespace robust_kbench
