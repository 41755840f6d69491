#pragma once

#include <set>
#include <string>
#include <vector>

#include "transform/reduction.hpp"

namespace robust_kbench {

// The effects of a loop on memory and on variables of outside. Pointers of different names are
// taken to point to different memory, as those of a kernel's inputs and outputs do.
struct LoopFacts {
  bool understood = false;  // the analysis knows each statement; else nothing below holds
  // No iteration reads or overwrites what another one writes, except the reductions' variables.
  bool independent = false;
  // Iterations are independent, except that they may add to the same elements.
  bool accumulates = false;
  bool has_inner_loop = false;
  bool leaves = false;  // break, return and the like, or a `continue` beside other loops
  bool writes_memory = false;
  std::vector<Reduction> reductions;
  std::set<std::string> math;  // functions of <cmath> that it calls
};

LoopFacts facts_of(const Code& code, const std::vector<Function>& functions,
                   const SourceStatement& loop);

// The tokens of a loop's body, without its braces.
Range body_of(const SourceStatement& loop);

}  // namespace robust_kbench
