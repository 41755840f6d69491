#pragma once

#include <string_view>

namespace robust_kbench {

// Which half of an operator a kernel implements; its entry point carries the same name.
enum class Direction { forward, backward };

constexpr std::string_view to_string(Direction direction) {
  return direction == Direction::forward ? "forward" : "backward";
}

}  // namespace robust_kbench
