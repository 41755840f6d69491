#include "tensor/task_registry.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/nearest_name.hpp"

namespace robust_kbench {

TaskRegistry::TaskRegistry(std::vector<Task> linked) {
  for (Task& task : linked) add(std::move(task));
}

const Task& TaskRegistry::add(Task task) {
  const std::scoped_lock lock(m_mutex);
  if (known(task.name) != nullptr) {
    throw UserError("task '" + task.name + "' exists already; give the new one another name");
  }
  return m_tasks.emplace_back(std::move(task));
}

void TaskRegistry::look_further(FurtherTasks further) {
  const std::scoped_lock lock(m_mutex);
  m_further = std::move(further);
}

// `name` may have been a path, so the task's own name may be known already.
const Task* TaskRegistry::found_further(const std::string& name) const {
  if (!m_further.find) return nullptr;
  std::optional<Task> task = m_further.find(name);
  if (!task) return nullptr;
  const Task* const before = known(task->name);
  if (before == nullptr) return &m_tasks.emplace_back(*std::move(task));
  if (before->package == task->package) return before;
  throw UserError("task '" + task->name + "' of '" + name +
                  "' exists already; import it again with another --name");
}

const Task& TaskRegistry::find(const std::string& name) const {
  const std::scoped_lock lock(m_mutex);
  if (const Task* task = known(name)) return *task;
  if (const Task* task = found_further(name)) return *task;
  std::string names;
  for (const Task& task : m_tasks) names += (names.empty() ? "" : ", ") + task.name;
  std::vector<std::string_view> known_names;
  for (const Task& task : m_tasks) known_names.push_back(task.name);
  throw UserError("task '" + name + "' does not exist" + did_you_mean(name, known_names) +
                  " known: " + names);
}

std::vector<const Task*> TaskRegistry::tasks() const {
  const std::scoped_lock lock(m_mutex);
  std::vector<const Task*> all;
  for (const Task& task : m_tasks) all.push_back(&task);
  return all;
}

const Task* TaskRegistry::known(const std::string& name) const {
  const auto found = std::find_if(m_tasks.begin(), m_tasks.end(),
                                  [&](const Task& task) { return task.name == name; });
  return found == m_tasks.end() ? nullptr : &*found;
}

}  // namespace robust_kbench
