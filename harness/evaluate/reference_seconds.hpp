#pragma once

#include "core/device.hpp"

namespace robust_kbench {

struct Workload;

// What the reference of a probe's case may take.
inline constexpr double max_reference_seconds = 0.2;
// The same of a case that an import judges. Some operators take ten times as long in float64, and
// one judgement is of a dozen runs.
inline constexpr double quick_reference_seconds = 0.02;

// What a float64 reference takes by its FLOPs and bytes, on two cores of a server or on an H100.
// These decide alike on all machines of a kind, while a measurement would not.
double reference_seconds(const Workload& workload, Device device);

}  // namespace robust_kbench
