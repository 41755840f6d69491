#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace robust_kbench {

// The whole content of a file; none where it cannot be opened.
std::optional<std::string> read_text(const std::filesystem::path& file);

}  // namespace robust_kbench
