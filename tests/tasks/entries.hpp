#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "core/case.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// One (task, direction) of the registry with its config file.
struct TaskEntry {
  Task task;
  Direction direction;

  [[nodiscard]] std::string name() const;  // "mnist_linear.forward"
  [[nodiscard]] std::vector<Config> configs(ConfigSet set) const;
};

// All that the registry holds.
std::vector<TaskEntry> task_entries();

void PrintTo(const TaskEntry& entry, std::ostream* out);

}  // namespace robust_kbench
