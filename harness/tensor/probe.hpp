#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tensor/workload.hpp"
#include <robust_kbench/probe.hpp>

namespace robust_kbench {

// Why kernels of one direction of a task are not asked about a probe, or none where they are.
std::optional<std::string> why_inapplicable(const Task& task, Direction direction, Probe probe);

// The probes of one direction of a task, in the order of all_probes.
std::vector<Probe> applicable_probes(const Task& task, Direction direction);

// Whether the typical data of a config has a weight of which all elements are the same.
bool has_constant_weights(const Workload& workload);

// Every tensor of one call with the content that a probe asks about. `seed` alone decides it on one
// kind of device. Probes that scale enlarge for an odd seed, and make smaller for an even one. What
// a probe does not concern is drawn as make_tensors() draws it.
//
// Incoming gradients are masked near kinks, but not by the probes whose sums are exact
// (constant_rows, ties): there every decision is that of the reference.
Tensors probe_tensors(const Workload& workload, Probe probe, std::uint64_t seed,
                      c10::Device device = c10::kCPU);

}  // namespace robust_kbench
