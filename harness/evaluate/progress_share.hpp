#pragma once

#include <set>

#include "core/manifest.hpp"
#include "evaluate/evaluator.hpp"

namespace robust_kbench {

// Returns how much of a kernel's way through these stages is done, from 0 to 1. A stage counts as
// long as it usually takes. A kernel of the build is compiled already.
double share_done(const Progress& made, const KernelSource& kernel, const std::set<Stage>& stages);

}  // namespace robust_kbench
