#pragma once

#include <vector>

#include <robust_kbench/probe.hpp>
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The contract with the tolerances that hold on content of a probe. The absolute one is the
// output's own, times the root mean square of the finite elements of its float64 reference. So it
// follows the magnitude of what a probe makes of the output. It is 8 times as large for inputs
// around 100, which float32 rounds 64 times as coarsely as those around 1.
Contract probe_contract(const Contract& contract, Probe probe,
                        const std::vector<at::Tensor>& references);

}  // namespace robust_kbench
