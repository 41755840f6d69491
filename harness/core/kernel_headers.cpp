#include "core/kernel_headers.hpp"

#include "core/enum_names.hpp"

namespace robust_kbench {
namespace {

constexpr EnumNames<KernelHeaders, 3> header_names{"headers",
                                                   {{{KernelHeaders::automatic, "auto"},
                                                     {KernelHeaders::shim, "shim"},
                                                     {KernelHeaders::torch, "torch"}}}};

}  // namespace

std::string_view to_string(KernelHeaders headers) {
  return header_names.name_of(headers);
}

KernelHeaders parse_kernel_headers(std::string_view name) {
  return header_names.parse(name == "slim" ? "shim" : name);
}

std::optional<KernelHeaders> compiled_headers(std::string_view name) {
  for (const KernelHeaders headers : {KernelHeaders::shim, KernelHeaders::torch}) {
    if (name == to_string(headers)) return headers;
  }
  return std::nullopt;
}

}  // namespace robust_kbench
