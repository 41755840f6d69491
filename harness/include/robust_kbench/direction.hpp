#pragma once

#include <string_view>

namespace robust_kbench {

// The half of an operator that a kernel implements. Its entry point has the same name.
enum class Direction { forward, backward };

constexpr std::string_view to_string(Direction direction) {
  return direction == Direction::forward ? "forward" : "backward";
}

}  // namespace robust_kbench
