#pragma once

#include "exec/arena.hpp"

namespace robust_kbench {

// To be called between batches, when only what a kernel itself keeps is alive: a workspace in a
// static variable, say. The broker gives the arena's memory out again, so where such a tensor lies
// in the arena, the arena moves elsewhere and the tensor's memory becomes the process's own. Its
// address and content stay as they are.
void keep_live_tensors(Arena& arena);

}  // namespace robust_kbench
