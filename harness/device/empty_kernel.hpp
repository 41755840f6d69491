#pragma once

namespace robust_kbench {

// The time of a kernel that does nothing, by the driver's events, in microseconds. Each time by
// events has as much for the begin and the end of work. It is the median of some launches behind
// sweeps of the cache. This process measures it once, and no other work may use the GPU meanwhile.
// Throws HarnessError.
double empty_kernel_us();

}  // namespace robust_kbench
