#pragma once

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// A copy of everything before the kernel's memory, gaps included, which no worker sees.
at::Tensor image_of_inputs(const Arena& arena, const Placement& placement);

// Looks for what input_mutation() and out_of_bounds_write() look for, by a few operators over the
// whole batch. A GPU answers many small questions no faster than one each. True where nothing is
// found. Needs the image of the inputs. Cannot see where or what a change is, which those two find
// out.
bool guards_are_intact(const BatchEvidence& evidence);

}  // namespace robust_kbench
