#pragma once

#include <string>

#include "core/device.hpp"
#include <robust_kbench/direction.hpp>
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The source of a kernel that compiles, takes the entry's arguments, and throws since it is not
// written yet. Types are those of the task's default parameters: a tensor that they leave out is
// optional. Throws UserError when the task has no backward.
std::string skeleton(const Task& task, Direction direction, Device device);

}  // namespace robust_kbench
