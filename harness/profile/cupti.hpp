#pragma once

#include <vector>

#include "core/tool_finding.hpp"
#include "device/cuda_activities.hpp"

namespace robust_kbench {

// What the trace of one call says, times in us. Of each __global__ function `launches` and
// `duration`, all launches together. Of the call, with no kernel named: `span`, from the first
// start to the last end; `idle`, the percentage of it in which nothing runs; `copies_<way>` (such
// as copies_device_to_host) and `memsets`. None where the call does nothing on the GPU.
std::vector<ToolFinding> cupti_findings(const std::vector<CudaActivity>& activities);

}  // namespace robust_kbench
