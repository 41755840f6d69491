#include "evaluate/task_directory.hpp"

namespace robust_kbench {

TaskDirectory directory_of(const Manifest& manifest, const Task& task) {
  if (task.directory.empty()) return manifest.task(task.name);
  return {.name = task.name, .directory = task.directory};
}

}  // namespace robust_kbench
