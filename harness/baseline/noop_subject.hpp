#pragma once

#include <cstddef>
#include <memory>

#include "ipc/arena.hpp"
#include "runner/serve.hpp"

namespace robust_kbench {

// Calls that do nothing, which tell what a batch costs beyond its calls. On a GPU each may launch
// one kernel, which writes `written_bytes` of memory where these are not 0. As many as the L2 cache
// has leave it full of dirty lines. Writing these falls into the call's span; writing them back
// does not.
std::unique_ptr<Subject> make_noop_subject(const Arena& arena, std::size_t written_bytes);

}  // namespace robust_kbench
