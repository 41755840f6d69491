#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/capability.hpp"

namespace robust_kbench {

// The name of a mangled function or object of C++, as `std::basic_ofstream::open`: without return
// type, parameters, template arguments and inline namespaces. Any other name is as it was given.
std::string plain_name(std::string_view symbol);

// What a kernel uses that refers to this symbol: nullopt for nothing, `other` for a symbol that no
// list names (audit/symbol_lists.hpp).
std::optional<Capability> capability_of_symbol(std::string_view symbol);

}  // namespace robust_kbench
