#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/manifest.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

struct ProbeCases {
  std::vector<Case> cases;
  std::vector<std::string> left_out;  // reasons for sets without a config that is fast enough
};

// The probes that apply to an entry, each on one `small` and on one `single` config. `nonce`
// chooses the config in the larger half of a set, so a kernel cannot know it. Two probes show most
// on certain configs: repeated_row on configs with most rows, general_weights on configs whose
// typical weights are constant.
//
// A config is left out where its float64 reference would take more than 0.2 s by its FLOPs and
// bytes. This estimate is alike on all machines of a kind, unlike a measurement.
//
// The probe repeated_row has 512 rows at least, where the task's shapes allow it.
ProbeCases probe_cases(const Manifest& manifest, const Task& task, Direction direction,
                       Device device, std::uint64_t nonce);

}  // namespace robust_kbench
