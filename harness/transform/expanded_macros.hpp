#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// The source with its function-like macros written out where their text is the head of a `for` loop
// or has an element `name[index]`. Rules see then which loops there are and what they read. Each
// line keeps its number. Macros of more than one definition stay.
std::string with_expanded_macros(std::string_view source);

}  // namespace robust_kbench
