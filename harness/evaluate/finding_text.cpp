#include "evaluate/finding_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr std::size_t max_told = 10;

std::string describe(const ToolFinding& finding) {
  const Place& where = finding.where;
  std::string text = finding.what + ": " + finding.meaning;
  if (!where.kernel.empty()) text += "\n  in " + where.kernel;
  if (!where.file.empty()) text += fmt::format(" at {}:{}", where.file, where.line);
  if (!where.thread.empty()) {
    text += fmt::format("\n  by thread {} of block {}", where.thread, where.block);
  }
  if (!where.address.empty()) text += "\n  address " + where.address;
  if (finding.value && *finding.value > 1) text += fmt::format("\n  {} times", *finding.value);
  return text;
}

}  // namespace

std::string describe(const std::vector<ToolFinding>& findings) {
  std::string text;
  for (std::size_t i = 0; i < std::min(findings.size(), max_told); ++i) {
    text += (i == 0 ? "" : "\n") + describe(findings[i]);
  }
  if (findings.size() > max_told) {
    text += fmt::format("\nand {} more findings", findings.size() - max_told);
  }
  return text;
}

}  // namespace robust_kbench
