#pragma once

#include <set>
#include <string>
#include <string_view>

namespace robust_kbench {

using DeclaredNames = std::set<std::string, std::less<>>;

// The names that headers declare in namespaces, the namespaces themselves and the macros.
// `preprocessed` is a compiler's output with -E and -dD. It is scanned, not parsed: names within
// braces of a class or function, between parentheses and of a template's parameters are left out.
DeclaredNames declared_names(std::string_view preprocessed);

}  // namespace robust_kbench
