#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace robust_kbench {

// `one` with what was changed between `base` and `other`, line by line. None where both have
// changed the same line in different ways, or have put different lines into the same place.
std::optional<std::string> merged(std::string_view base, std::string_view one,
                                  std::string_view other);

}  // namespace robust_kbench
