#pragma once

#include <functional>
#include <string>

#include "transform/movement.hpp"
#include "transform/rules/rule.hpp"

namespace robust_kbench {

// Whether a term of a condition is the same in all iterations of the loop that is analysed.
bool has_same_term(const Code& code, const MovementAnalysis& movement, Range condition);

// Declarations of elements that are the same in all iterations, which take their places in `text`.
// A compiler does not do this under a condition, nor vectorize then. `statements` are those that
// `text` is made of, and `may_load` says which of their elements have the value there already.
// Elements that a condition may guard stay, since they may lie outside of their memory.
std::string load_once(const RuleContext& context, const MovementAnalysis& movement,
                      const std::vector<Range>& statements,
                      const std::function<bool(Range)>& may_load, FreshNames& names,
                      std::string& text);

}  // namespace robust_kbench
