#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/case.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

inline constexpr std::size_t max_choice_cases = 64;

// A case for each combination of the values that Shapes::choices names, on tiny sizes: named
// choice_1 and so on, as drawn configs. All other parameters have their defaults. The nonce draws
// the sizes, and the combinations where there are more than 64. Combinations that the task does not
// allow on tiny sizes are left out. Empty where a task names no choices.
std::vector<Case> choice_cases(const Task& task, std::uint64_t nonce);

// Two cases for each size of the task, as drawn configs. In longest_1 it is the greatest that
// Shapes allows, and all others are tiny. In shortest_1 it is the least, and all others are as long
// as fits into 2^18 elements and 20 million operations. All else has its defaults. The nonce draws
// the tiny sizes. Empty where a task has no shapes but the listed ones.
std::vector<Case> extreme_cases(const Task& task, std::uint64_t nonce);

}  // namespace robust_kbench
