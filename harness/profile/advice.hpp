#pragma once

#include <string>
#include <vector>

#include "profile/tool_finding.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// What to do about findings, in plain words. There is none without the findings that it follows
// from.
struct Advice {
  std::string rule;    // "memory_bound", "spills"..., stable
  std::string kernel;  // demangled; empty: the call as a whole
  // What share of the call's time it is about, 0 to 1. An estimate that orders advice, no promise.
  double stake = 0;
  std::string text;
  std::vector<ToolFinding> because;

  bool operator==(const Advice&) const = default;
};

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

void to_json(nlohmann::json& json, const Advice& advice);
void from_json(const nlohmann::json& json, Advice& advice);

}  // namespace robust_kbench
