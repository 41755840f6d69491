#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// The source with loops written as `for (T i = a; i < b; ++i)` where they mean that: a `while` loop
// whose last statement steps the variable, and a `for` loop over a variable declared before it.
// Each line keeps its number. Loops that use the variable elsewhere stay as they are.
std::string with_counted_loops(std::string_view source);

}  // namespace robust_kbench
