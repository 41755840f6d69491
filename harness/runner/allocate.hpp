#pragma once

#include <cstddef>

#include "ipc/arena.hpp"

namespace robust_kbench {

// Allocates `bytes` from the arena's kernel region: aligned, guarded, logged and poisoned. Returns
// nullptr if it is full. Any thread may call it. No memory is handed out twice before `release`.
void* arena_allocate(Arena& arena, std::size_t bytes);

}  // namespace robust_kbench
