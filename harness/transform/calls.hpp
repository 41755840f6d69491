#pragma once

#include <set>
#include <string>
#include <vector>

#include "transform/statement.hpp"

namespace robust_kbench {

// The functions that a piece of a source calls.
struct Calls {
  bool pure = true;            // nothing but conversions and functions that write no memory
  std::set<std::string> math;  // functions of <cmath> by their name without `std::`
  // Names in the functions of the source that it calls, without those of their parameters.
  std::set<std::string> used;
};

// Functions that the source itself defines count as what they call and write.
Calls calls_of(const Code& code, const std::vector<Function>& functions, Range range);

}  // namespace robust_kbench
