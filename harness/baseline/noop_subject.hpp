#pragma once

#include <memory>

#include "ipc/arena.hpp"
#include "runner/serve.hpp"

namespace robust_kbench {

// Calls that do nothing, which tell what a batch costs beyond its calls. `dirtying`: on a GPU they
// leave an L2 cache full of lines to be written back; what writes them is the call's span.
std::unique_ptr<Subject> make_noop_subject(const Arena& arena, bool dirtying);

}  // namespace robust_kbench
