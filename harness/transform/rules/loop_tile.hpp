#pragma once

#include <string>

#include "transform/rules/rule.hpp"

namespace robust_kbench {

// The text of a loop that has moved to the inside of the loops that it holds. A tile of its
// iterations goes through them together. They have to be independent, apart from sums. Empty where
// a statement forbids it.
std::string tiled_inside(const RuleContext& context, const SourceStatement& loop,
                         FreshNames& names);

}  // namespace robust_kbench
