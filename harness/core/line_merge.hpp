#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace robust_kbench {

// A three-way merge: `one` with the changes between `base` and `other`, line by line. Nothing where
// both changed the same line, or inserted at the same place, in different ways.
std::optional<std::string> merged(std::string_view base, std::string_view one,
                                  std::string_view other);

}  // namespace robust_kbench
