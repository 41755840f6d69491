#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "check/allocation_log.hpp"
#include "check/allocation_probe.hpp"
#include "check/outputs.hpp"
#include "check/placement.hpp"
#include "ipc/call.hpp"

namespace robust_kbench {

// What a batch of calls has left behind, as the broker sees it once the results are collected. A
// detector is a function of this alone, which returns a finding or none.
struct BatchEvidence {
  const Arena& arena;
  Placement placement = {};
  std::uint64_t poison = 0;
  AllocationLog log = {};
  // The worker's report of each call, none of which is trusted.
  std::vector<CallResult> calls = {};
  std::optional<std::size_t> kept = {};      // the call whose outputs were copied
  std::vector<OutputSnapshot> outputs = {};  // of that call
  // A copy of the inputs and the gaps between them. Defined only for a GPU's batch of many calls.
  at::Tensor image_of_inputs = {};
  // Taken as soon as the last call had returned, if run() was asked to.
  std::optional<AllocationProbe> probe = {};
};

}  // namespace robust_kbench
