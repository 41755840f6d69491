#include "evolve/frozen_regions.hpp"

#include <algorithm>

namespace robust_kbench {
namespace {

bool is_marker(std::string_view line, std::string_view marker) {
  const std::size_t begin = line.find_first_not_of(" \t");
  const std::size_t end = line.find_last_not_of(" \t\r");
  return begin != std::string_view::npos && line.substr(begin, end - begin + 1) == marker;
}

}  // namespace

std::vector<std::string> frozen_regions(std::string_view source) {
  std::vector<std::string> regions;
  bool frozen = false;
  while (!source.empty()) {
    const std::size_t length = std::min(source.find('\n'), source.size() - 1) + 1;
    const std::string_view line = source.substr(0, length);
    const std::string_view text = line.substr(0, line.find('\n'));
    source.remove_prefix(length);
    if (is_marker(text, "// frozen: end")) {
      frozen = false;
    } else if (frozen) {
      regions.back() += line;
    } else if (is_marker(text, "// frozen: begin")) {
      frozen = true;
      regions.emplace_back();
    }
  }
  return regions;
}

}  // namespace robust_kbench
