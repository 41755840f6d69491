#pragma once

#include <optional>
#include <string>
#include <vector>

#include "transform/movement.hpp"

namespace robust_kbench {

// The iterations of a loop in which a condition holds: from the greatest of `first` to below the
// smallest of `end`. Each is the text of an expression that is the same in all iterations.
struct GuardedIterations {
  std::vector<std::string> first;
  std::vector<std::string> end;
};

// The iterations in which terms such as `i + a >= b` and `name < b`, joined by `&&`, hold. A name
// stands for the initial value that one of `declarations` gives it. Nothing where a term is of
// another kind, or where the loop's variable has no type that can be negative.
std::optional<GuardedIterations> guarded_iterations(
    const Code& code, const SourceStatement& loop, const MovementAnalysis& movement,
    const std::vector<const SourceStatement*>& declarations, Range condition);

}  // namespace robust_kbench
