#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tensor/workload.hpp"
#include <robust_kbench/probe.hpp>

namespace robust_kbench {

// Why a probe does not apply to kernels of one direction of a task, or nullopt if it does.
std::optional<std::string> why_inapplicable(const Task& task, Direction direction, Probe probe);

// The probes that apply to one direction of a task, in the order of all_probes.
std::vector<Probe> applicable_probes(const Task& task, Direction direction);

// Whether the config's typical data has a weight whose elements are all equal.
bool has_constant_weights(const Workload& workload);

// Makes every tensor of one call with the content that a probe asks about. `seed` alone decides it
// on one kind of device. Probes that scale enlarge values for an odd seed, and shrink them for an
// even one. Tensors that a probe does not concern are drawn as make_tensors() draws them.
//
// Incoming gradients are masked near kinks, but not by the probes whose sums are exact
// (constant_rows, ties): there float32 decides as the reference does.
Tensors probe_tensors(const Workload& workload, Probe probe, std::uint64_t seed,
                      c10::Device device = c10::kCPU);

}  // namespace robust_kbench
