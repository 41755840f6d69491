#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// The name that is most like `name`, for a message about an unknown one. Names that hold `name`, or
// that it holds, come first, then those that fewest edits make of it. `known` is not empty.
std::string nearest_name(std::string_view name, const std::vector<std::string_view>& known);

// "; did you mean 'layernorm'?", or ";" where no known name is much like `name`.
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace robust_kbench
