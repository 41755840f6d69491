#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// "1 kernel", "2 kernels". The plural of `noun` must end in s.
inline std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace robust_kbench
