#pragma once

#include <cstddef>

#include "ipc/arena.hpp"

namespace robust_kbench {

// Takes `bytes` from the arena's kernel region: aligned, guarded, logged, poisoned. Returns nullptr
// when it is full. Any thread may call it. No memory is given twice before `release`.
void* arena_allocate(Arena& arena, std::size_t bytes);

}  // namespace robust_kbench
