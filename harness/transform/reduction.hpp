#pragma once

#include <optional>
#include <string>

#include "transform/assignment.hpp"

namespace robust_kbench {

// A scalar of outside of a loop to which the loop adds, or of which it keeps an extreme.
struct Reduction {
  std::string variable;
  std::string operation;  // + * max min, as OpenMP names them
};

// `s += e`, `s = s + e`, `s = max(s, e)` and `s = s < e ? e : s`, where e does not speak of s.
std::optional<Reduction> reduction_of(const Code& code, const Assignment& assignment);

// `if (e > s) s = e;`
std::optional<Reduction> reduction_of_condition(const Code& code,
                                                const SourceStatement& conditional);

}  // namespace robust_kbench
