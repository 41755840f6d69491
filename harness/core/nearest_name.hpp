#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// The name that is most like `name`, for a message about an unknown one. A name that contains
// `name`, or is contained in it, comes first. Otherwise the smallest edit distance decides. `known`
// is not empty.
std::string nearest_name(std::string_view name, const std::vector<std::string_view>& known);

// "; did you mean 'layernorm'?", or ";" where no known name is much like `name`.
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace robust_kbench
