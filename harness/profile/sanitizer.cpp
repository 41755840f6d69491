#include "profile/sanitizer.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "core/error.hpp"
#include "process/escape.hpp"
#include "profile/sanitizer_log.hpp"

namespace robust_kbench {
namespace {

// The beginnings of a report's first line, after "Error: " or "Warning: ".
struct Kind {
  std::string_view begin;
  const char* what;
  const char* meaning;
  bool hazard = false;  // counted by racecheck's summary
};
constexpr std::array<Kind, 19> kinds{{
    {"Invalid __global__ read", "invalid_global_read",
     "reads global memory outside every allocation, or misaligned"},
    {"Invalid __global__ write", "invalid_global_write",
     "writes global memory outside every allocation, or misaligned"},
    {"Invalid __global__", "invalid_global_access",
     "accesses global memory outside every allocation, or misaligned"},
    {"Invalid __shared__ read", "invalid_shared_read",
     "reads shared memory outside the block's, or misaligned"},
    {"Invalid __shared__ write", "invalid_shared_write",
     "writes shared memory outside the block's, or misaligned"},
    {"Invalid __local__", "invalid_local_access",
     "accesses the thread's own arrays outside their bounds"},
    {"Invalid ", "invalid_access", "accesses memory that it may not access"},
    {"Potential invalid ", "invalid_remote_access",
     "accesses another block's shared memory while that block may not run"},
    {"Uninitialized __global__", "uninitialized_global_read",
     "reads global memory that nothing has written"},
    {"Uninitialized __shared__", "uninitialized_shared_read",
     "reads shared memory that nothing has written"},
    {"Uninitialized ", "uninitialized_read", "reads memory that nothing has written"},
    {"Race reported", "race", "threads access the same memory and no barrier orders them", true},
    {"Potential WAW hazard", "write_after_write",
     "two threads write the same memory and no barrier orders them", true},
    {"Potential RAW hazard", "read_after_write",
     "a thread reads what another writes and no barrier orders them", true},
    {"Potential WAR hazard", "write_after_read",
     "a thread writes what another reads and no barrier orders them", true},
    {"Barrier error", "barrier_error", "not all threads that a barrier waits for can reach it"},
    {"Malloc/Free error", "device_heap_error", "misuses malloc or free on the device"},
    {"Leaked ", "leak", "leaves memory allocated"},
    {"Program hit ", "cuda_api_error", "a call of the CUDA API failed"},
}};
constexpr Kind process_failed{"", "process_failed", "the process under the sanitizer failed"};
constexpr Kind unknown{"", "other_error", "is reported by the sanitizer"};

// Lines that the summary does not count.
constexpr std::array<std::string_view, 3> failures{
    "Target application returned an error",
    "process didn't terminate successfully",
    "The application may have hit an error",
};
constexpr std::string_view cannot_look = "Internal Sanitizer ";

// Only the word before the colon decides. It may be in upper or lower case, since versions differ.
std::pair<std::string_view, Severity> split_severity(std::string_view title) {
  constexpr std::array<std::pair<std::string_view, Severity>, 6> prefixes{{
      {"Error: ", Severity::error},
      {"ERROR: ", Severity::error},
      {"Warning: ", Severity::warning},
      {"WARNING: ", Severity::warning},
      {"Info: ", Severity::info},
      {"INFO: ", Severity::info},
  }};
  for (const auto& [prefix, severity] : prefixes) {
    if (title.starts_with(prefix)) return {title.substr(prefix.size()), severity};
  }
  return {title, Severity::error};
}

// Removes a remark in front, as in "(Warp Level Programming) Potential RAW hazard".
std::string_view without_remark(std::string_view title) {
  const std::size_t end = title.starts_with("(") ? title.find(") ") : std::string_view::npos;
  return end == std::string_view::npos ? title : title.substr(end + 2);
}

const Kind* kind_of(std::string_view title) {
  const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                 [&](const Kind& k) { return title.starts_with(k.begin); });
  return kind == kinds.end() ? nullptr : &*kind;
}

std::string sentence(const SanitizerReport& report, const Kind& kind) {
  std::string text = kind.meaning;
  text += ": " + report.title;
  for (const std::string& detail : report.details) text += "; " + detail;
  return escaped(text);
}

ToolFinding sanitizer_finding(std::string_view tool, const SanitizerReport& report,
                              const Kind& kind, Severity severity) {
  Place where = report.where;
  for (std::string* text :
       {&where.kernel, &where.file, &where.address, &where.thread, &where.block}) {
    *text = escaped(*text);
  }
  return {.tool = std::string(tool),
          .what = kind.what,
          .value = 1,
          .unit = "errors",
          .severity = severity,
          .meaning = sentence(report, kind),
          .where = std::move(where)};
}

void add(std::vector<ToolFinding>& findings, ToolFinding finding) {
  const auto alike = std::find_if(findings.begin(), findings.end(), [&](const ToolFinding& f) {
    return f.what == finding.what && f.severity == finding.severity &&
           f.where.kernel == finding.where.kernel && f.where.file == finding.where.file &&
           f.where.line == finding.where.line &&
           // Two findings without a place differ only by their text.
           (!f.where.kernel.empty() || f.meaning == finding.meaning);
  });
  if (alike == findings.end()) {
    findings.push_back(std::move(finding));
  } else {
    *alike->value += 1;
  }
}

[[noreturn]] void refuse(std::string_view tool, const std::string& problem, std::string_view log) {
  constexpr std::size_t quoted = 600;
  const std::string_view end = log.substr(log.size() - std::min(log.size(), quoted));
  throw HarnessError("compute-sanitizer --tool " + std::string(tool) + " " + problem +
                     "; its log ends:\n" + escaped(end));
}

}  // namespace

std::vector<std::string> sanitizer_arguments(const std::string& tool) {
  // Separates allocations, so that an access somewhat beyond one does not hit the next one.
  constexpr int padding_bytes = 4096;
  std::vector<std::string> arguments{"--tool", tool, "--show-backtrace", "device"};
  if (tool == "memcheck") {
    arguments.insert(arguments.end(), {"--padding", std::to_string(padding_bytes)});
  }
  return arguments;
}

std::vector<ToolFinding> sanitizer_findings(std::string_view tool, std::string_view log) {
  const SanitizerLog parsed = parse_sanitizer_log(log);
  if (parsed.summaries.empty()) refuse(tool, "ended without a summary", log);
  if (parsed.summaries.size() > 1) refuse(tool, "wrote more than one summary", log);
  const SanitizerSummary& summary = parsed.summaries.front();

  std::vector<ToolFinding> findings;
  std::vector<const SanitizerReport*> unknowns;
  std::int64_t counted = 0;
  std::string blind;
  for (const SanitizerReport& report : parsed.reports) {
    const auto [rest, severity] = split_severity(report.title);
    const std::string_view title = without_remark(rest);
    if (title.starts_with(cannot_look)) {
      blind = report.title;
    } else if (std::any_of(failures.begin(), failures.end(),
                           [&, text = title](auto f) { return text.starts_with(f); })) {
      add(findings, sanitizer_finding(tool, report, process_failed, Severity::error));
    } else if (const Kind* kind = kind_of(title)) {
      add(findings, sanitizer_finding(tool, report, *kind, severity));
      counted += summary.hazards ? kind->hazard && severity != Severity::info : 1;
    } else {
      unknowns.push_back(&report);
    }
  }
  if (counted > summary.count) {
    refuse(
        tool,
        "shows " + std::to_string(counted) + " errors and counts " + std::to_string(summary.count),
        log);
  }
  // An unknown line is an error only if the summary counts more errors than the known lines.
  const bool unknown_are_errors = counted < summary.count;
  for (const SanitizerReport* report : unknowns) {
    ToolFinding finding = sanitizer_finding(tool, *report, unknown, Severity::error);
    if (!unknown_are_errors) {
      finding.what = "message";
      finding.severity = Severity::info;
    }
    add(findings, std::move(finding));
  }
  if (unknown_are_errors) counted += static_cast<std::int64_t>(unknowns.size());
  const std::int64_t not_shown = std::max(summary.count - counted, parsed.not_printed);
  if (not_shown > 0) {
    findings.push_back({.tool = std::string(tool),
                        .what = "errors_not_shown",
                        .value = static_cast<double>(not_shown),
                        .unit = "errors",
                        .severity = Severity::error,
                        .meaning = "the sanitizer counts more errors than it shows",
                        .where = {}});
  }
  const bool found = std::any_of(findings.begin(), findings.end(),
                                 [](const auto& f) { return f.severity == Severity::error; });
  if (!blind.empty() && !found) refuse(tool, "could not look: " + escaped(blind), log);
  return findings;
}

}  // namespace robust_kbench
