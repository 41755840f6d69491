#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <robust_kbench/task.hpp>

namespace robust_kbench {

inline constexpr const char* package_suffix = ".task.json";

// The directory where `rkb import` puts packages and where tasks are looked for by name. It is
// $ROBUST_KBENCH_TASKS, else tasks/ in the user's data directory (core/cache_directory.hpp). It may
// not exist yet.
std::filesystem::path imported_tasks_directory();

// The packages of that directory, sorted by name.
std::vector<std::filesystem::path> imported_packages();

// Whether the text is a package's path rather than a task's name.
bool names_a_package(const std::string& task);

// The task of a package with its directory of config files and source. These are unpacked once into
// the cache, by the package's content. Throws UserError as read_package() does, and if the cache
// cannot be written.
Task load_imported_task(const std::filesystem::path& package);

// The task of a package, unpacked into a new directory.
Task unpacked_task(const std::filesystem::path& package, const std::filesystem::path& directory);

}  // namespace robust_kbench
