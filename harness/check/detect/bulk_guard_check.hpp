#pragma once

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// What lies before the kernel's memory, gaps and all, copied to where no worker sees it.
at::Tensor image_of_inputs(const Arena& arena, const Placement& placement);

// Looks for: what input_mutation() and out_of_bounds_write() look for, by a few operators over the
// whole batch, since a GPU answers each question no sooner than the first. True where there is
// nothing of it. Needs the image of the inputs.
// Cannot see: where or what it is, which those two find out.
bool guards_are_intact(const BatchEvidence& evidence);

}  // namespace robust_kbench
