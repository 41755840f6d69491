#pragma once

#include <filesystem>
#include <memory>

#include "torch_task/package.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The task of a package. Its functions run the package's graphs, and it can be used like a linked
// task. It has no directory yet (torch_task/package_files.hpp). Throws UserError as read_package()
// does.
Task imported_task(const std::filesystem::path& package);

// The task of a package that has been read from `file`.
Task imported_task(std::shared_ptr<const Package> package, const std::filesystem::path& file);

}  // namespace robust_kbench
