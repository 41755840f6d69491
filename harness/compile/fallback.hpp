#pragma once

#include <functional>
#include <string>

#include "compile/declared_names.hpp"
#include "core/manifest.hpp"

// Decides whether a kernel that does not compile with the shim's headers is tried with torch's,
// which takes a minute.
namespace robust_kbench {

// Returns the names that torch/extension.h declares. It is called only if an error may need them.
using DeclaredByTorch = std::function<const DeclaredNames&()>;

// True if the compiler misses something that the shim's headers lack and torch's declare. This may
// be a header, a name with or without a namespace, a member, a macro, an overload or an operator.
// It is false for a plain mistake, and for a name that torch does not know either.
bool torch_has_what_is_missing(const std::string& compiler_output, const TorchToolchain& torch,
                               const DeclaredByTorch& declared);

// The reason for rejecting a kernel that compiles with neither headers. It quotes only the errors
// with torch's headers that the shim's did not show.
std::string neither_compiles(const std::string& shim_reason, const std::string& torch_reason);

}  // namespace robust_kbench
