#pragma once

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// A copy of all memory before the kernel's, including gaps. No worker sees it.
at::Tensor image_of_inputs(const Arena& arena, const Placement& placement);

// Looks for the same as input_mutation() and out_of_bounds_write(), by a few operators over the
// whole batch. A GPU answers many small questions no faster if each is asked alone. True if nothing
// is found. Needs the image of the inputs. Cannot see the place or kind of a change, which those
// two find.
bool guards_are_intact(const BatchEvidence& evidence);

}  // namespace robust_kbench
