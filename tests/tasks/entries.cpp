#include "entries.hpp"

#include <fstream>

#include "tensor/workload.hpp"
#include <robust_kbench/registry.hpp>

#include <nlohmann/json.hpp>

namespace robust_kbench {

std::string TaskEntry::name() const {
  return Entry{task.name, direction}.name();
}

std::vector<Config> TaskEntry::configs(ConfigSet set) const {
  const std::string path = std::string(TASKS_DIRECTORY) + "/" + task.name + "/config_" +
                           std::string(to_string(direction)) + ".json";
  std::ifstream file(path);
  return expand_configs(nlohmann::json::parse(file), path, set, task.defaults,
                        contract(task, direction).ignored_keys);
}

std::vector<TaskEntry> task_entries() {
  std::vector<TaskEntry> entries;
  for (const Task& task : registered_tasks()) {
    entries.push_back({task, Direction::forward});
    if (task.backward_contract) entries.push_back({task, Direction::backward});
  }
  return entries;
}

void PrintTo(const TaskEntry& entry, std::ostream* out) {
  *out << entry.name();
}

}  // namespace robust_kbench
