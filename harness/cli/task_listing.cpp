#include "cli/task_listing.hpp"

#include <filesystem>
#include <map>
#include <vector>

#include "cli/shown_path.hpp"
#include "core/coverage.hpp"
#include "evaluate/scope.hpp"
#include "evaluate/task_directory.hpp"
#include "report/table.hpp"
#include "torch_task/package_facts.hpp"
#include <robust_kbench/task.hpp>

#include <fmt/format.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// Returns the word for --case that means the case, and all that differ from it in the seed alone.
std::string row_name(const Case& c) {
  if (c.probe) return probe_name(*c.probe);
  return c.is_listed() ? c.config.name + "/seed_1" : c.name();
}

// Returns the rows in their order, with the number of cases of each.
using Rows = std::vector<std::pair<std::string, std::map<Device, int>>>;

std::map<Device, int>& row(Rows& rows, const std::string& name) {
  for (auto& [known, counts] : rows) {
    if (known == name) return counts;
  }
  return rows.emplace_back(name, std::map<Device, int>()).second;
}

Rows rows_of(const Suite& suite, const Task& task, Direction direction, const Scope& scope) {
  Rows rows;
  for (const Config& config : all_configs(suite, task, direction)) {
    (void)row(rows, row_name({.config = config}));
  }
  for (const Device device : {Device::cpu, Device::cuda}) {
    const std::vector<ConfigSet> usual = usual_configs(device);
    if (any_configs_of(suite.manifest(), task, direction, usual).empty()) continue;
    for (const Case& c : tested_cases(suite.manifest(), task, direction, device, scope)) {
      ++row(rows, row_name(c))[device];
    }
    ++row(rows, std::string(sequence_name))[device];
  }
  return rows;
}

// A set that is only timed has no cases by default.
std::string count_text(const std::map<Device, int>& counts, Device device) {
  const auto found = counts.find(device);
  return found == counts.end() ? "-" : std::to_string(found->second);
}

// Tells where an imported task comes from, and what its import found.
std::string import_listing(const PackageFacts& facts) {
  std::string text = fmt::format("imported from {} ({}) with torch {}\n", facts.source, facts.kind,
                                 facts.made_with.value("torch", "of an unknown version"));
  for (const std::string& note : facts.notes) text += "note: " + note + "\n";
  return text;
}

}  // namespace

std::vector<Direction> directions_of(const Suite& suite, const Task& task) {
  const fs::path directory = directory_of(suite.manifest(), task).directory;
  std::vector<Direction> directions;
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    const std::string file = "config_" + std::string(to_string(direction)) + ".json";
    const bool computed = direction == Direction::forward || task.backward_contract;
    if (computed && fs::exists(directory / file)) directions.push_back(direction);
  }
  return directions;
}

std::vector<Config> all_configs(const Suite& suite, const Task& task, Direction direction) {
  return any_configs_of(suite.manifest(), task, direction,
                        {ConfigSet::small, ConfigSet::single, ConfigSet::multi});
}

std::string kernels_listing(const Suite& suite, const Task* task) {
  Table kernels({"kernel", "device", "scope", "cases", "source"});
  bool any = false;
  for (const KernelSource& kernel : suite.manifest().kernels) {
    if (task != nullptr && kernel.entry.task != task->name) continue;
    any = true;
    const Scope scope{.coverage = kernel.coverage};
    const std::vector<Case> cases = tested_cases(suite.manifest(), suite.task(kernel.entry.task),
                                                 kernel.entry.direction, kernel.device, scope);
    kernels.add({kernel.entry.name() + "." + kernel.name, std::string(to_string(kernel.device)),
                 std::string(to_string(kernel.coverage)),
                 std::to_string(number_of_cases(cases, scope)),
                 shown_path(kernel.sources.front())});
  }
  return any ? kernels.console() : "no kernel in this build\n";
}

std::string task_listing(const Suite& suite, const Task& task) {
  const TaskDirectory directory = directory_of(suite.manifest(), task);
  std::string text = fmt::format("{}: {}\nconfigs and plain kernels: {}\n", task.name, task.summary,
                                 shown_path(directory.directory));
  if (!task.package.empty()) text += import_listing(package_facts(task.package));
  for (const Direction direction : directions_of(suite, task)) {
    const std::string name(to_string(direction));
    Table table({"case of " + name, "cases on cpu", "on cuda"});
    std::map<Device, int> sums;
    for (const auto& [row, counts] :
         rows_of(suite, task, direction, {.coverage = directory.coverage})) {
      table.add({row, count_text(counts, Device::cpu), count_text(counts, Device::cuda)});
      for (const auto& [device, count] : counts) sums[device] += count;
    }
    table.add({"all", std::to_string(sums[Device::cpu]), std::to_string(sums[Device::cuda])});
    text += "\n" + table.console();
  }
  return text + "\n" + kernels_listing(suite, &task);
}

}  // namespace robust_kbench
