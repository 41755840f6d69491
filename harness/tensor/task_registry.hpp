#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <robust_kbench/task.hpp>

namespace robust_kbench {

// A source of tasks that the program does not link.
struct FurtherTasks {
  // Returns nullopt if there is no task of this name. Throws UserError if there is one that cannot
  // be loaded.
  std::function<std::optional<Task>(const std::string& name)> find;
};

// The tasks of a process: those that its program links, and others that are made while it runs.
// Their functions may be closures. A task keeps its address while the registry lives, and any
// thread may use it.
class TaskRegistry {
 public:
  // Throws UserError where two tasks have the same name.
  explicit TaskRegistry(std::vector<Task> linked = {});

  // Throws UserError if a task of this name is known already. For a task that no manifest names,
  // `Task::directory` holds its config files.
  const Task& add(Task task);

  // Makes find() ask `further` for names that it does not know.
  void look_further(FurtherTasks further);

  // A task of `further` is loaded once. If no task has this name, throws a UserError that lists
  // those that exist.
  [[nodiscard]] const Task& find(const std::string& name) const;

  // All tasks so far, in the order in which they were added.
  [[nodiscard]] std::vector<const Task*> tasks() const;

 private:
  [[nodiscard]] const Task* known(const std::string& name) const;
  [[nodiscard]] const Task* found_further(const std::string& name) const;

  mutable std::mutex m_mutex;
  mutable std::deque<Task> m_tasks;
  FurtherTasks m_further;
};

}  // namespace robust_kbench
