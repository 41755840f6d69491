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

// The traces of a batch of calls, as the broker sees them once the results are collected. A
// detector is a function of this alone. It returns a finding or nullopt.
struct BatchEvidence {
  const Arena& arena;
  Placement placement = {};
  std::uint64_t poison = 0;
  AllocationLog log = {};
  // The worker's reports of the calls, which are not trusted.
  std::vector<CallResult> calls = {};
  std::optional<std::size_t> kept = {};      // the call whose outputs were copied
  std::vector<OutputSnapshot> outputs = {};  // of the kept call
  // A copy of the inputs and the gaps between them. It is defined only for a GPU's batch of many
  // calls.
  at::Tensor image_of_inputs = {};
  // The probe of the time when the last call had just returned, if run() was asked to look.
  std::optional<AllocationProbe> probe = {};
};

}  // namespace robust_kbench
