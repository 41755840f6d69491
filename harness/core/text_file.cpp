#include "core/text_file.hpp"

#include <fstream>
#include <iterator>

#include "core/utf8.hpp"

namespace robust_kbench {

std::optional<std::string> read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  // Opening a directory succeeds, but reading it would throw.
  std::error_code ignored;
  if (!in || std::filesystem::is_directory(file, ignored)) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

std::optional<std::string> read_utf8(const std::filesystem::path& file) {
  const std::optional<std::string> text = read_text(file);
  if (!text) return std::nullopt;
  return valid_utf8(*text);
}

}  // namespace robust_kbench
