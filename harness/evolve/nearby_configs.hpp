#pragma once

#include <cstdint>
#include <vector>

#include "core/config.hpp"
#include <robust_kbench/direction.hpp>
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// Configs of about the size of the largest listed ones, which the nonce alone decides: each size is
// up to a quarter smaller or larger. A search that saw the listed ones has not seen these. There
// are at most three; fewer where a task's shapes leave no room, none where they are fixed.
std::vector<Config> nearby_configs(const Task& task, Direction direction,
                                   const std::vector<Config>& listed, std::uint64_t nonce);

}  // namespace robust_kbench
