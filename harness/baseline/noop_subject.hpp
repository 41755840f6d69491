#pragma once

#include <memory>

#include "ipc/arena.hpp"
#include "runner/serve.hpp"

namespace robust_kbench {

// Calls that do nothing, which tell what a batch costs beyond its calls. With `dirtying` (GPU only)
// each call fills the L2 cache with dirty lines. Writing these falls into the call's span; writing
// them back does not.
std::unique_ptr<Subject> make_noop_subject(const Arena& arena, bool dirtying);

}  // namespace robust_kbench
