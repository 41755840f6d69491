#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// The source with its counting loops written as `for (T i = a; i < b; ++i)`. That is for a `while`
// loop whose last statement steps the variable, and for a loop over a variable declared before it.
// Each line keeps its number. Loops whose variable is used elsewhere stay as they are.
std::string with_counted_loops(std::string_view source);

}  // namespace robust_kbench
