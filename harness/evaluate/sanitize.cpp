#include "evaluate/sanitize.hpp"

#include <chrono>

#include "evaluate/finding_text.hpp"
#include "profile/sanitizer.hpp"

namespace robust_kbench {
namespace {

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
