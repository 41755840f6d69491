#pragma once

#include <filesystem>

#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The task of a package, as good as a linked one: its functions run the package's graphs. It has no
// directory yet (torch_task/package_files.hpp). Throws UserError as read_package() does.
Task imported_task(const std::filesystem::path& package);

}  // namespace robust_kbench
