#pragma once

#include <cstddef>
#include <vector>

namespace robust_kbench {

// The index at which a newcomer enters a waiting line. A newcomer with priority passes all without
// it. `go_first` tells who has priority, beginning with the next in turn. Equals keep their order.
std::size_t place_in_line(const std::vector<bool>& go_first, bool goes_first);

}  // namespace robust_kbench
