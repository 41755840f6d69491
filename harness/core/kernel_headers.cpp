#include "core/kernel_headers.hpp"

#include "core/enum_names.hpp"

namespace robust_kbench {
namespace {

constexpr EnumNames<KernelHeaders, 3> names{"headers",
                                            {{{KernelHeaders::automatic, "auto"},
                                              {KernelHeaders::shim, "shim"},
                                              {KernelHeaders::torch, "torch"}}}};

}  // namespace

std::string_view to_string(KernelHeaders headers) {
  return names.name_of(headers);
}

KernelHeaders parse_kernel_headers(std::string_view name) {
  return names.parse(name == "slim" ? "shim" : name);
}

}  // namespace robust_kbench
