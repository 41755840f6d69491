#pragma once

#include "check/limits_cache.hpp"
#include "core/config.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// The limits of the outputs of timed calls on a config, whose constants vary. Content that tests
// have, too, gets the same limits as there. `gpu` says where the content is made.
OutputLimits timed_limits(LimitsCache& limits, const Workload& workload, const Config& config,
                          bool gpu);

}  // namespace robust_kbench
