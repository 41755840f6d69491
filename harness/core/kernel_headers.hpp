#pragma once

#include <optional>
#include <string_view>

namespace robust_kbench {

// The headers that a kernel is compiled against.
enum class KernelHeaders {
  automatic,  // "auto": the shim's, or torch's for a kernel that needs something the shim lacks
  shim,
  torch,
};

std::string_view to_string(KernelHeaders headers);
// Also accepts "slim", the former name of the shim. Throws UserError.
KernelHeaders parse_kernel_headers(std::string_view name);

// The headers that a compiled kernel says it has, "shim" or "torch"; nothing for any other name,
// since a kernel is not to be trusted.
std::optional<KernelHeaders> compiled_headers(std::string_view name);

}  // namespace robust_kbench
