#pragma once

#include "core/device.hpp"

namespace robust_kbench {

struct Workload;

// Most seconds for the float64 reference of a probe's case.
inline constexpr double max_reference_seconds = 0.2;
// Most seconds for the reference of a case that an import judges. It is smaller, since some
// operators take ten times as long in float64, and one judgement has a dozen runs.
inline constexpr double quick_reference_seconds = 0.02;
// The same for the only case that is judged, if no case is quick.
inline constexpr double only_reference_seconds = 5;

// The estimated seconds of a float64 reference by its FLOPs and bytes, on two cores of a server or
// on an H100. The estimate is alike on all machines of a kind, unlike a measurement.
double reference_seconds(const Workload& workload, Device device);

}  // namespace robust_kbench
