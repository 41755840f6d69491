#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// The name that fewest edits make of `name`, for a message about an unknown one. `known` is not
// empty.
std::string nearest_name(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace robust_kbench
