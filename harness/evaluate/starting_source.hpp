#pragma once

#include <string>

#include "core/device.hpp"
#include "core/manifest.hpp"
#include <robust_kbench/direction.hpp>
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

struct StartingSource {
  std::string text;
  bool is_plain = false;  // else a skeleton
};

// A kernel to start from: the task's plain one, or a skeleton where it has none. Throws UserError
// where the plain one cannot be read, and when the task has no backward.
StartingSource starting_source(const Manifest& manifest, const Task& task, Direction direction,
                               Device device);

}  // namespace robust_kbench
