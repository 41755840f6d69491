#include "evaluate/task_directory.hpp"

#include <robust_kbench/task.hpp>

namespace robust_kbench {

TaskDirectory directory_of(const Manifest& manifest, const Task& task) {
  if (task.directory.empty()) return manifest.task(task.name);
  const TaskDirectory* const known = manifest.find_task(task.name);
  TaskDirectory directory = known != nullptr ? *known : TaskDirectory{.name = task.name};
  directory.directory = task.directory;
  return directory;
}

}  // namespace robust_kbench
