#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <robust_kbench/task.hpp>

namespace robust_kbench {

// Where tasks come from that the program does not link.
struct FurtherTasks {
  // None where there is no task of this name. Throws UserError where there is one that cannot be
  // loaded.
  std::function<std::optional<Task>(const std::string& name)> find;
};

// The tasks of a process: those that its program links, and others that are made while it runs.
// Their functions may be closures. A task keeps its address while the registry lives, and any
// thread may use it.
class TaskRegistry {
 public:
  // Throws UserError where two tasks have the same name.
  explicit TaskRegistry(std::vector<Task> linked = {});

  // Throws UserError where a task of this name is known already. For a task that no manifest names,
  // `Task::directory` holds its config files.
  const Task& add(Task task);

  // From now on find() looks there for names that it does not know.
  void look_further(FurtherTasks further);

  // A task of `further` is loaded once. Throws UserError that lists what exists.
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
