#include "report/markdown_text.hpp"

namespace robust_kbench {
namespace {

// A row of backticks, one longer at least than any in the text.
std::string fence_around(const std::string& text, std::string fence) {
  while (text.find(fence) != std::string::npos) fence += "`";
  return fence;
}

}  // namespace

std::string markdown_block(const std::string& text) {
  const std::string fence = fence_around(text, "```");
  return fence + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string markdown_code(const std::string& text) {
  const std::string fence = fence_around(text, "`");
  std::string line = text;
  for (char& c : line) {
    if (c == '\n') c = ' ';
  }
  const bool touches = line.starts_with('`') || line.ends_with('`');
  const std::string space = touches ? " " : "";
  return fence + space + line + space + fence;
}

}  // namespace robust_kbench
