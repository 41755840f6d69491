#include "evaluate/place_in_line.hpp"

#include <algorithm>

namespace robust_kbench {

std::size_t place_in_line(const std::vector<bool>& go_first, bool goes_first) {
  if (!goes_first) return go_first.size();
  const auto last = std::find(go_first.rbegin(), go_first.rend(), true);
  return static_cast<std::size_t>(go_first.rend() - last);
}

}  // namespace robust_kbench
