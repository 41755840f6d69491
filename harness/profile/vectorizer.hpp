#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/manifest.hpp"
#include "core/tool_finding.hpp"

namespace robust_kbench {

// What GCC's vectorizer says of loops with -fopt-info-vec-all-internals. One finding for each loop
// of the text:
//   vectorized          The value is the width in bytes.
//   in_order_reduction  A sum or product is taken one term after another, since C++ lets no
//                       compiler reorder floats. The loop may be vectorized otherwise.
//   not_vectorized      The meaning is the reason.
// A loop that was compiled several times, as part of several functions, counts as its best copy.
// Loops around other loops are left out where it is these that can be vectorized.
std::vector<ToolFinding> vectorizer_findings(std::string_view output);

// Compiles a C++ kernel's sources once more with the flags of its build (BuildRecord::flags). Gives
// the findings on its sources and its own headers. Throws UserError where it does not compile, and
// where the compiler is not GCC. `stop` ends it by Cancelled.
std::vector<ToolFinding> run_vectorizer(const KernelSource& kernel, const Toolchain& toolchain,
                                        const std::vector<std::string>& flags,
                                        const std::stop_token& stop = {});

}  // namespace robust_kbench
