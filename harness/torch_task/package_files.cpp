#include "torch_task/package_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <unistd.h>

#include "core/cache_directory.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "torch_task/imported_task.hpp"
#include "torch_task/package.hpp"

namespace robust_kbench {
namespace fs = std::filesystem;
namespace {

constexpr const char* unpacked_package = "package.task.json";

void write_files(const Package& package, const fs::path& file, const fs::path& directory) {
  fs::create_directories(directory);
  OutputFile(directory / "config_forward.json").write(package.forward_configs.dump(1));
  if (!package.backward_configs.is_null()) {
    OutputFile(directory / "config_backward.json").write(package.backward_configs.dump(1));
  }
  // Language models are shown this file.
  OutputFile(directory / "reference.py").write(package.sources.front().text);
  fs::copy_file(file, directory / unpacked_package);
}

// Another process may unpack the same package. The first one to rename has made it.
fs::path unpack(const Package& package, const fs::path& file) {
  const fs::path cache = cache_directory();
  if (cache.empty()) {
    throw UserError(
        "imported tasks are unpacked below a home directory, and HOME is not set; name "
        "a directory by RKB_CACHE");
  }
  const fs::path directory = cache / "tasks" / package.sha256;
  if (fs::exists(directory / unpacked_package)) return directory;
  const fs::path fresh = directory.string() + "." + std::to_string(getpid());
  std::error_code ignored;
  try {
    write_files(package, file, fresh);
    fs::rename(fresh, directory);
  } catch (const fs::filesystem_error& error) {
    fs::remove_all(fresh, ignored);
    if (fs::exists(directory / unpacked_package)) return directory;
    throw UserError("imported tasks are unpacked into '" + cache.string() + "', and there " +
                    error.code().message() + "; name another directory by RKB_CACHE");
  } catch (...) {
    fs::remove_all(fresh, ignored);
    throw;
  }
  return directory;
}

Task task_in(const std::shared_ptr<const Package>& read, const fs::path& package,
             const fs::path& directory) {
  Task task = imported_task(read, package);
  task.directory = directory.string();
  task.package = directory / unpacked_package;
  return task;
}

}  // namespace

fs::path imported_tasks_directory() {
  const char* own = std::getenv("ROBUST_KBENCH_TASKS");
  if (own != nullptr && *own != '\0') return own;
  const fs::path data = data_directory();
  return data.empty() ? fs::path() : data / "tasks";
}

std::vector<fs::path> imported_packages() {
  std::vector<fs::path> packages;
  std::error_code ignored;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(imported_tasks_directory(), ignored)) {
    if (entry.path().filename().string().ends_with(package_suffix))
      packages.push_back(entry.path());
  }
  std::ranges::sort(packages);
  return packages;
}

bool names_a_package(const std::string& task) {
  return task.ends_with(package_suffix) || task.find('/') != std::string::npos;
}

Task load_imported_task(const fs::path& package) {
  const auto read = std::make_shared<const Package>(read_package(package));
  return task_in(read, package, unpack(*read, package));
}

Task unpacked_task(const fs::path& package, const fs::path& directory) {
  const auto read = std::make_shared<const Package>(read_package(package));
  write_files(*read, package, directory);
  return task_in(read, package, directory);
}

}  // namespace robust_kbench
