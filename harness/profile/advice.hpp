#pragma once

#include <vector>

#include "core/advice.hpp"
#include "core/tool_finding.hpp"

namespace robust_kbench {

// By the rules below, greatest stake first. Rules on a kernel's speed need Nsight Compute's
// findings, those on a call as a whole a trace's or Nsight Compute's; those on spills do with
// ptxas's, of kernels that the call launches where that is known.
//   unsafe            a sanitizer found an error
//   memory_bound, compute_bound, latency_bound    which roof of the roofline is near, or none
//   occupancy         an SM could hold few warps, and what limits them
//   uncoalesced       warps use little of what their loads or stores move
//   bank_conflicts    warps queue for banks of shared memory
//   spills            registers go to local memory; local_arrays: arrays do
//   tail_effect       the last wave leaves SMs idle; small_grid: the only one does
//   launch_bound      the GPU waits for the call's launches
//   host_copies       the call copies between host and device
//   divergence        few threads of a warp take part in its instructions
//   performance_loss  ptxas warns of one
std::vector<Advice> advise(const std::vector<ToolFinding>& findings);

}  // namespace robust_kbench
