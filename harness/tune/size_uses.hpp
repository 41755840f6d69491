#pragma once

#include <set>
#include <string>
#include <vector>

#include "source/tokens.hpp"

namespace robust_kbench {

// The names whose values size the work: in a launch `f<...><<<...>>>` or `__launch_bounds__`, an
// array's extent, an unroll pragma, the stride of a loop. A name that is initialised from others
// stands for these, too.
std::set<std::string> names_used_as_sizes(const std::vector<Token>& tokens);

}  // namespace robust_kbench
