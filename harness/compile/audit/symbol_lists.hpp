#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/capability.hpp"

namespace robust_kbench {

// Names of functions and objects that kernels may name, separated by white space. A name that ends
// in * stands for all that begin with it. Names of C++ are without parameters, template arguments
// and inline namespaces. The longest entry that fits a name decides (audit/symbol_class.hpp).
struct SymbolList {
  std::optional<Capability> capability;  // nullopt: the names are known to be harmless
  std::string_view names;
};

std::span<const SymbolList> lists_of_capabilities();
std::span<const SymbolList> lists_of_harmless_symbols();

}  // namespace robust_kbench
