#include "cli/status_parts.hpp"

#include <algorithm>

namespace robust_kbench {
namespace {

std::string joined(const std::vector<StatusPart>& parts) {
  std::string text;
  for (const StatusPart& part : parts) text += (text.empty() ? "" : "; ") + part.text;
  return text;
}

}  // namespace

std::string joined_status(std::vector<StatusPart> parts, std::size_t width) {
  std::erase_if(parts, [](const StatusPart& part) { return part.text.empty(); });
  while (parts.size() > 1 && joined(parts).size() > width) {
    parts.erase(std::ranges::min_element(parts, {}, &StatusPart::keep));
  }
  return joined(parts);
}

}  // namespace robust_kbench
