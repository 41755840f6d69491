#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace robust_kbench {

// The whole content of a file; none where it cannot be opened, or is a directory.
std::optional<std::string> read_text(const std::filesystem::path& file);

// The file's content as valid_utf8(), for files that a program, a person or a model wrote.
std::optional<std::string> read_utf8(const std::filesystem::path& file);

}  // namespace robust_kbench
