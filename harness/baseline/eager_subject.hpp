#pragma once

#include <memory>

#include "baseline/arena_allocator.hpp"
#include "runner/serve.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// Torch's eager mode, forward or backward. `tensors` names the arguments of a call. `allocator` is
// null on a GPU.
std::unique_ptr<Subject> make_eager_subject(const Workload& workload, Arena& arena,
                                            ArenaAllocator* allocator);

}  // namespace robust_kbench
