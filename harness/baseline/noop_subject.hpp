#pragma once

#include <cstddef>
#include <memory>

#include "ipc/arena.hpp"
#include "runner/serve.hpp"

namespace robust_kbench {

// Calls that do nothing, which measure the cost of a batch beyond its calls.
std::unique_ptr<Subject> make_noop_subject(const Arena& arena);
// On a GPU each call writes `written_bytes` of memory. As many bytes as the L2 cache holds leave it
// full of dirty lines. The writes belong to the call's span, but the lines' later write-back does
// not.
std::unique_ptr<Subject> make_dirtying_noop_subject(const Arena& arena, std::size_t written_bytes);
// On a GPU each call launches one kernel that does nothing. The driver launches it, as it does the
// harness's own kernels, so that it waits for the host as little as possible.
std::unique_ptr<Subject> make_empty_subject(const Arena& arena);

}  // namespace robust_kbench
