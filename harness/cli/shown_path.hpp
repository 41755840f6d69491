#pragma once

#include <filesystem>
#include <string>

namespace robust_kbench {

// Returns the path from the working directory where the file lies below it, else the whole path.
inline std::string shown_path(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const std::filesystem::path relative = file.lexically_relative(here);
  return error || relative.empty() || *relative.begin() == ".." ? file.string() : relative.string();
}

}  // namespace robust_kbench
