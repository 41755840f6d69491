#pragma once

#include <memory>
#include <string>
#include <vector>

#include "baseline/arena_allocator.hpp"
#include "runner/serve.hpp"
#include <robust_kbench/direction.hpp>
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// Torch's eager mode, forward or backward. `tensors` names the arguments of a call. `allocator` is
// null on a GPU.
std::unique_ptr<Subject> make_eager_subject(const Task& task, Direction direction,
                                            const Params& params, std::vector<std::string> tensors,
                                            Arena& arena, ArenaAllocator* allocator);

}  // namespace robust_kbench
