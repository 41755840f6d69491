#pragma once

namespace robust_kbench {

// The time of a kernel that does nothing, or of a fill of one word, by the driver's events, in
// microseconds. Each time by events has as much for the begin and the end of work. It is the median
// of some calls behind sweeps of the cache. This process measures each once, and no other work may
// use the GPU meanwhile. Throws HarnessError.
double empty_call_us(bool is_fill);

}  // namespace robust_kbench
