#pragma once

#include <cstddef>
#include <memory>

#include "ipc/arena.hpp"
#include "runner/serve.hpp"

namespace robust_kbench {

// Calls that do nothing, which tell what a batch costs beyond its calls.
std::unique_ptr<Subject> make_noop_subject(const Arena& arena);
// On a GPU each call writes so many bytes of memory. As many as the L2 cache has leave it full of
// dirty lines. Writing these falls into the call's span; writing them back does not.
std::unique_ptr<Subject> make_dirtying_noop_subject(const Arena& arena, std::size_t written_bytes);
// On a GPU each call launches one kernel that does nothing. The driver launches it, as it does the
// harness's own, so that it waits for the host as little as can be.
std::unique_ptr<Subject> make_empty_subject(const Arena& arena);

}  // namespace robust_kbench
