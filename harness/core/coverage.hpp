#pragma once

#include <string_view>

namespace robust_kbench {

// The tests of a kernel, called the scope in records, manifests and command lines. Each value
// covers less than the one before.
enum class Coverage {
  full,    // listed and drawn configs, and probes
  quick,   // one case of each of these kinds
  listed,  // listed configs alone
};

std::string_view to_string(Coverage coverage);
Coverage parse_coverage(std::string_view name);  // throws UserError

}  // namespace robust_kbench
