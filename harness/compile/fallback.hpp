#pragma once

#include <string>

#include "core/manifest.hpp"

// Whether a kernel that does not compile with shim headers is worth the minute that torch's take.
namespace robust_kbench {

// Where the compiler misses what shim headers lack and torch's declare: a header, a name in one of
// torch's namespaces or classes, a macro, an overload. A plain mistake is none of these, and so is
// a name that torch does not know either.
bool torch_has_what_is_missing(const std::string& compiler_output, const TorchToolchain& torch);

// The reason of a kernel that compiles over neither: of what torch's headers gave rise to, only
// errors that shim ones did not show.
std::string neither_compiles(const std::string& shim_reason, const std::string& torch_reason);

}  // namespace robust_kbench
