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
  std::vector<std::string> left_out;  // sets without a config that is fast enough, and why
};

// The probes that apply to an entry, each on one `small` and on one `single` config. `nonce`
// chooses them among the larger half of a set, so a kernel cannot know where it is asked. Two
// probes show most on certain configs: repeated_row on those with most rows, general_weights on
// those whose typical weights are constant.
//
// A config is left out where its float64 reference would take more than 0.2 s by its FLOPs and
// bytes. These decide alike on all machines of a kind, while a measurement would not.
//
// The probe repeated_row has 512 rows at least, where the task's shapes allow it.
ProbeCases probe_cases(const Manifest& manifest, const Task& task, Direction direction,
                       Device device, std::uint64_t nonce);

}  // namespace robust_kbench
