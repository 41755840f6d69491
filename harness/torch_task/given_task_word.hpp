#pragma once

#include <string>

#include "core/own_command.hpp"
#include "torch_task/package_files.hpp"

namespace robust_kbench {

// The word for a task in a command that is shown to the user: a package is named by its whole path.
inline std::string given_task_word(const std::string& given) {
  return names_a_package(given) ? path_word(given) : given;
}

}  // namespace robust_kbench
