#pragma once

#include <functional>

#include "core/config.hpp"
#include <robust_kbench/direction.hpp>
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The config with 512 rows at least. Only a parameter of the task's shapes that lengthens the
// leading dimension of every input and changes no weight is raised. The config stays as it is where
// there is no such parameter, or where `acceptable` returns false. A changed config has it in its
// name: "small/batch_size_3.num_classes_7.batch_size_512".
Config with_repeated_rows(const Task& task, Direction direction, Config config,
                          const std::function<bool(const Params&)>& acceptable);

}  // namespace robust_kbench
