#include "core/text_file.hpp"

#include <fstream>
#include <iterator>

namespace robust_kbench {

std::optional<std::string> read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

}  // namespace robust_kbench
