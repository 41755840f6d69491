#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// The source with its counting loops written as `for (T i = a; i < b; ++i)`. This concerns `while`
// loops whose last statement steps the variable, and loops over a variable that is declared before
// them. Each line keeps its number. Loops whose variable is used elsewhere stay as they are.
std::string with_counted_loops(std::string_view source);

}  // namespace robust_kbench
