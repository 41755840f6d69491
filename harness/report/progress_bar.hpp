#pragma once

#include <cstddef>
#include <string>

namespace robust_kbench {

// A bar and its percentage, as "[====>     ]  42 %", in at most `columns` columns. `share` is from
// 0 to 1. Empty where `columns` leave no room for a bar. With colour, what is done is green.
std::string progress_bar(double share, std::size_t columns, bool has_color);

}  // namespace robust_kbench
