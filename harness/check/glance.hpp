#pragma once

#include "check/guards.hpp"
#include "check/placement.hpp"

namespace robust_kbench {

// What lies before the kernel's memory, gaps and all, copied to where no worker sees it.
at::Tensor image_of_inputs(const Arena& arena, const Placement& placement);

// True where inputs and gaps are all what they were: `image`, and poison. By a few operators over
// the whole batch, since a GPU answers each question no sooner than the first. Where this is false,
// guards.hpp tells what is wrong.
bool untouched(const Arena& arena, const Placement& placement, const at::Tensor& image,
               const Given& given, std::uint64_t poison);

}  // namespace robust_kbench
