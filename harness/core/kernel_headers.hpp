#pragma once

#include <optional>
#include <string_view>

namespace robust_kbench {

// Which headers a kernel is compiled against.
enum class KernelHeaders {
  automatic,  // "auto": the shim's, or torch's where these lack something that torch's have
  shim,
  torch,
};

std::string_view to_string(KernelHeaders headers);
// Also accepts "slim", the former name of the shim. Throws UserError.
KernelHeaders parse_kernel_headers(std::string_view name);

// Which of "shim" and "torch" a compiled kernel names, which is not to be trusted; nothing for any
// other name.
std::optional<KernelHeaders> compiled_headers(std::string_view name);

}  // namespace robust_kbench
