#include "prompt/failure_report.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "compile/error_digest.hpp"
#include "core/utf8.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr std::size_t told_in_full = 2;            // failed cases
constexpr std::size_t most_names = 20;             // of cases in a list
constexpr std::size_t longest_case_reason = 1500;  // bytes of one case's
constexpr std::size_t longest_failure_line = 160;  // bytes

bool is_of_compiler(const ProposalFailure& failure) {
  return failure.reason_class == to_string(Verdict::compile_error) ||
         failure.reason_class == to_string(Verdict::load_error);
}

// The reason without the command that tests the case again, which names files.
std::string without_replay(const std::string& reason) {
  std::string kept;
  std::istringstream lines(reason);
  for (std::string line; std::getline(lines, line);) {
    const bool is_command =
        line.find(" --case ") != std::string::npos && line.find(" --nonce ") != std::string::npos;
    if (!is_command) kept += (kept.empty() ? "" : "\n") + line;
  }
  return kept;
}

// The failed cases of a record. Cases with the verdict of the record come first.
std::vector<const CaseRecord*> failed_cases(const KernelRecord& record) {
  std::vector<const CaseRecord*> failed;
  for (const CaseRecord& test : record.cases) {
    if (!test.judgement.passes() && !test.refused) failed.push_back(&test);
  }
  std::ranges::stable_partition(failed, [&](const CaseRecord* test) {
    return test->judgement.verdict == record.judgement.verdict;
  });
  return failed;
}

std::vector<const CaseRecord*> passed_cases(const KernelRecord& record) {
  std::vector<const CaseRecord*> passed;
  for (const CaseRecord& test : record.cases) {
    if (test.judgement.passes()) passed.push_back(&test);
  }
  return passed;
}

std::string in_full(const CaseRecord& test) {
  const std::string asks = test.asks.empty() ? "" : " (" + test.asks + ")";
  const std::string reason = without_replay(with_output(test.judgement));
  const std::string_view shown = utf8_prefix(reason, longest_case_reason);
  return fmt::format("{}{}: {}\n{}{}\n\n", test.name, asks, label(test.judgement), shown,
                     shown.size() < reason.size() ? "..." : "");
}

template <typename NameOf>
std::string names_of_cases(const char* what, const std::vector<const CaseRecord*>& cases,
                           const NameOf& name_of) {
  if (cases.empty()) return "";
  std::string text = what;
  for (std::size_t i = 0; i < std::min(cases.size(), most_names); ++i) {
    text += (i == 0 ? ": " : ", ") + name_of(*cases[i]);
  }
  if (cases.size() > most_names) text += fmt::format(" and {} more", cases.size() - most_names);
  return text + "\n";
}

std::string one_line_of(const std::string& text) {
  std::string line;
  for (const char c : without_replay(text)) {
    const bool is_space = c == '\n' || c == '\t' || c == ' ';
    if (is_space && (line.empty() || line.back() == ' ')) continue;
    line += is_space ? ' ' : c;
  }
  return line;
}

}  // namespace

std::string failure_report(const ProposalFailure& failure) {
  if (is_of_compiler(failure)) return compiler_errors_text(failure.reason);
  if (!failure.record) return without_replay(failure.reason);
  const std::vector<const CaseRecord*> failed = failed_cases(*failure.record);
  if (failed.empty()) return without_replay(failure.reason);
  const std::vector<const CaseRecord*> passed = passed_cases(*failure.record);
  std::string text = fmt::format(
      "Of {} cases, {} failed and {} passed",
      failure.record->cases.size() + static_cast<std::size_t>(failure.record->cases_not_called),
      failed.size(), passed.size());
  if (failure.record->cases_not_called > 0) {
    text += fmt::format("; {} were not called", failure.record->cases_not_called);
  }
  text += ".\n\n";
  const std::size_t full = std::min(failed.size(), told_in_full);
  for (std::size_t i = 0; i < full; ++i) text += in_full(*failed[i]);
  text += names_of_cases(
      "Failed, too", {failed.begin() + static_cast<std::ptrdiff_t>(full), failed.end()},
      [](const CaseRecord& test) { return test.name + " (" + label(test.judgement) + ")"; });
  text += names_of_cases("Passed", passed, [](const CaseRecord& test) { return test.name; });
  return text;
}

std::string failure_line(const ProposalFailure& failure) {
  std::string text = failure.reason;
  if (is_of_compiler(failure)) {
    text = first_line(compiler_errors_text(failure.reason, 1));
  } else if (failure.record) {
    const std::vector<const CaseRecord*> failed = failed_cases(*failure.record);
    if (!failed.empty()) text = failed.front()->name + ": " + failed.front()->judgement.reason;
  }
  return first_line(one_line_of(text), longest_failure_line);
}

}  // namespace robust_kbench
