#pragma once

#include <cstdint>
#include <vector>

#include "core/config.hpp"
#include <robust_kbench/direction.hpp>
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

inline constexpr int drawn_configs_count = 3;

// Configs beside the listed ones, named drawn_1 to drawn_3, that the nonce alone decides. Empty
// where the task's shapes are fixed.
//
// A drawn config takes all parameters that are not sizes from one of the `listed` configs. In
// drawn_1 one size is one more than a block of threads. In drawn_2 one size is long and odd, in
// drawn_3 one is the least allowed. All other sizes are least, odd, prime, one more than a block or
// arbitrary. In drawn_1 and drawn_2 the largest input fills whole units of 512 bytes, or else of
// 64, where some draw does. So it ends at an unmapped page. No drawn config has more elements or
// flops than the median of the listed configs, so that references stay cheap.
//
// A task that allows only some points draws three of them, or all where they are fewer.
//
// Throws UserError for shapes that the task's parameters contradict, or that allow too few
// configs.
std::vector<Config> drawn_configs(const Task& task, Direction direction,
                                  const std::vector<Config>& listed, std::uint64_t nonce);

}  // namespace robust_kbench
