#pragma once

#include <string_view>

namespace robust_kbench {

// What a kernel is tested on, each narrower than the one before. Records, manifests and command
// lines call it the scope.
enum class Coverage {
  full,    // listed and drawn configs, and probes
  quick,   // one case of each of these kinds
  listed,  // listed configs alone
};

std::string_view to_string(Coverage coverage);
Coverage parse_coverage(std::string_view name);  // throws UserError

}  // namespace robust_kbench
