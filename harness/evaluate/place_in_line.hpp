#pragma once

#include <cstddef>
#include <vector>

namespace robust_kbench {

// Where one lines up behind those that wait, the next one first, of whom some go before the others.
// Nobody passes one that is of the same kind.
std::size_t place_in_line(const std::vector<bool>& go_first, bool goes_first);

}  // namespace robust_kbench
