#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// The source with elements in the place of calls: `at(i, j)` becomes `x[i * n + j]`. That is where
// all that a function or a lambda does is to return an element. Rules see then what is read and
// written. Each line keeps its number.
std::string with_inlined_elements(std::string_view source);

}  // namespace robust_kbench
