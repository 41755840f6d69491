#include "torch_task/imported_tasks.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include "torch_task/package.hpp"
#include "torch_task/package_files.hpp"

#include <torch/headeronly/version.h>

namespace robust_kbench {
namespace fs = std::filesystem;
namespace {

void tell_other_torch(const fs::path& package) {
  const std::string made_with = torch_of_package(package);
  const std::string release = made_with.substr(0, made_with.find('+'));
  if (release == TORCH_VERSION) return;
  std::fprintf(stderr,
               "package %s was made with torch %s, and this is torch %s; import it again if its "
               "results differ\n",
               package.c_str(), made_with.c_str(), TORCH_VERSION);
}

Task loaded(const fs::path& package) {
  tell_other_torch(package);
  return load_imported_task(package);
}

}  // namespace

FurtherTasks imported_tasks(const std::vector<TaskDirectory>& of_build) {
  std::map<std::string, fs::path> packages;
  for (const TaskDirectory& task : of_build) {
    if (!task.package.empty()) packages[task.name] = task.package;
  }
  return {.find = [packages](const std::string& name) -> std::optional<Task> {
    if (names_a_package(name)) return loaded(fs::absolute(name));
    if (const auto known = packages.find(name); known != packages.end()) {
      return loaded(known->second);
    }
    const fs::path imported = imported_tasks_directory() / (name + package_suffix);
    std::error_code error;
    if (name.empty() || !fs::is_regular_file(imported, error)) return std::nullopt;
    return loaded(imported);
  }};
}

}  // namespace robust_kbench
