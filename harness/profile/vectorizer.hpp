#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/manifest.hpp"
#include "core/tool_finding.hpp"

namespace robust_kbench {

// Findings from the remarks of GCC's vectorizer on loops (-fopt-info-vec-all-internals). There is
// one for each loop of the text:
//   vectorized          The value is the width in bytes.
//   in_order_reduction  A sum or product is taken one term after another, since C++ lets no
//                       compiler reorder floats. The loop may be vectorized otherwise.
//   not_vectorized      The meaning is the reason.
// A loop that was compiled several times, as part of several functions, counts as its best copy. An
// outer loop is left out if GCC can vectorize only loops inside it.
std::vector<ToolFinding> vectorizer_findings(std::string_view output);

// Compiles a C++ kernel's sources once more with the flags of its build (BuildRecord::flags). Gives
// the findings on its sources and its own headers. Throws UserError if a source does not compile,
// or if the compiler is not GCC. `stop` ends it by Cancelled.
std::vector<ToolFinding> run_vectorizer(const KernelSource& kernel, const Toolchain& toolchain,
                                        const std::vector<std::string>& flags,
                                        const std::stop_token& stop = {});

}  // namespace robust_kbench
