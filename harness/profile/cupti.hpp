#pragma once

#include <vector>

#include "core/tool_finding.hpp"
#include "device/cuda_activities.hpp"

namespace robust_kbench {

// The findings from the trace of one call, with times in us. Each __global__ function has
// `launches` and `duration`, over all its launches. Findings about the whole call name no kernel:
//   span              From the first start to the last end.
//   idle              The percentage of the span in which nothing runs.
//   copies_<way>      Time of copies, such as copies_device_to_host.
//   memsets           Time of memsets.
// There are none if the call does nothing on the GPU.
std::vector<ToolFinding> cupti_findings(const std::vector<CudaActivity>& activities);

}  // namespace robust_kbench
