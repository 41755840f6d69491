#pragma once

#include <string_view>
#include <vector>

#include "core/advice.hpp"
#include "core/tool_finding.hpp"

namespace robust_kbench {

// Applies the rules below, and gives the greatest stake first. Rules on a kernel's speed need
// Nsight Compute's findings. Rules on a call as a whole need a trace's or Nsight Compute's. Rules
// on spills need only ptxas's. They leave out kernels that the call does not launch, where that is
// known. Rules on a CPU kernel need its roofline or the vectorizer's findings.
//   unsafe            A sanitizer found an error.
//   memory_bound, compute_bound, latency_bound
//                     Which roof of the roofline is near, or that none is near.
//   far_from_roof       A CPU kernel comes near neither the copy's rate nor the arithmetic's.
//   in_order_reduction  A CPU kernel takes sums one term after another.
//   not_vectorized      Loops of a CPU kernel are not vectorized.
//   call_overhead       Much of a CPU kernel's call takes the same time for any size.
//   occupancy         An SM can hold few warps, for a reason that is named.
//   uncoalesced       Warps use few of the bytes that their loads or stores move.
//   bank_conflicts    Warps queue for banks of shared memory.
//   spills            Registers spill to local memory.
//   local_arrays      Arrays lie in local memory.
//   tail_effect       The last wave leaves SMs idle.
//   small_grid        The only wave leaves SMs idle.
//   launch_bound      The GPU waits for the call's launches.
//   host_copies       The call copies between host and device.
//   divergence        Few threads of a warp take part in its instructions.
//   performance_loss  ptxas warns of a performance loss.
//
// Advice leaves out techniques that the kernel's `source` uses already. It also leaves out loops
// that are vectorized by hand, and the loops over their remainders. An empty `source` means that it
// is not known.
std::vector<Advice> advise(const std::vector<ToolFinding>& findings, std::string_view source = {});

}  // namespace robust_kbench
