#include "evaluate/sanitize.hpp"

#include <algorithm>
#include <chrono>

#include "profile/sanitizer.hpp"

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

CaseRecord sanitize_with(const std::string& tool, const InspectedKernel& kernel,
                         const std::string& compute_sanitizer, const std::vector<Case>& cases) {
  const auto start = std::chrono::steady_clock::now();
  auto [findings, end] = log_under(sanitizer_tool(tool, compute_sanitizer), kernel, cases);
  CaseRecord record{.name = "sanitize/" + tool, .judgement = passed()};
  std::erase_if(findings, [](const auto& finding) { return finding.severity == Severity::info; });
  if (end) record.judgement = end->judgement;
  if (!findings.empty()) {
    record.judgement = {.verdict = Verdict::unsafe, .reason = describe(findings)};
  }
  if (end) record.judgement.reason += "\nlast called on " + end->case_name;
  record.total_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return record;
}

}  // namespace

std::vector<CaseRecord> sanitize(const InspectedKernel& kernel,
                                 const std::string& compute_sanitizer,
                                 const std::vector<Case>& cases,
                                 const std::function<void(const std::string&)>& on_progress) {
  std::vector<CaseRecord> records;
  for (const char* tool : sanitizers) {
    if (on_progress) on_progress(std::string("under ") + tool);
    records.push_back(sanitize_with(tool, kernel, compute_sanitizer, cases));
  }
  return records;
}

}  // namespace robust_kbench
