#include "report/profile_summary.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "core/kernel_name.hpp"
#include "report/table.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

std::string heading(const KernelRecord& record) {
  std::string text = record.entry.name() + "." + record.name;
  if (record.profile && !record.profile->case_name.empty()) {
    text += " on " + record.profile->case_name;
  }
  text += ": " + std::string(to_string(record.judgement.verdict)) + "\n";
  const std::string& reason = record.judgement.reason;
  return reason.empty() ? text : text + "  " + reason + "\n";
}

std::string outcome(const ToolRecord& tool) {
  if (!tool.failed.empty()) return "failed, " + tool.failed;
  if (!tool.missing.empty()) return "missing, " + tool.missing;
  return fmt::format("ran in {:.1f} s{}", tool.seconds,
                     tool.version.empty() ? "" : " (" + tool.version + ")");
}

// Consecutive tools that are missing for the same reason share a line.
std::string tools(const ProfileRecord& record) {
  std::vector<std::pair<std::string, std::string>> lines;  // names and outcome
  for (const ToolRecord& tool : record.tools) {
    const std::string text = outcome(tool);
    if (!lines.empty() && lines.back().second == text) {
      lines.back().first += ", " + tool.tool;
    } else {
      lines.emplace_back(tool.tool, text);
    }
  }
  std::string text;
  for (const auto& [names, told] : lines) text += fmt::format("  {}: {}\n", names, told);
  return text;
}

std::string figures(const ToolFinding& finding) {
  if (!finding.value) return "-";
  const double value = *finding.value;
  if (std::abs(value) >= 1000 || value == std::round(value)) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

// True for a measure of the call, not of one of its kernels.
bool is_of_call(const ToolFinding& finding) {
  return finding.value && finding.where.kernel.empty() && finding.where.file.empty();
}

// The findings about one kernel, or about the call where `kernel` is empty.
std::string of_kernel(const ProfileRecord& record, const std::string& kernel) {
  Table table({"finding", "value", "unit", "meaning", "tool"});
  for (const ToolFinding& finding : record.findings) {
    const bool meant = kernel.empty() ? is_of_call(finding) : finding.where.kernel == kernel;
    if (!meant) continue;
    std::string meaning = finding.meaning;
    if (!finding.where.file.empty()) {
      meaning += fmt::format(" ({}:{})", finding.where.file, finding.where.line);
    }
    table.add({finding.what, figures(finding), finding.unit, meaning, finding.tool});
  }
  return "\n" + (kernel.empty() ? "the call" : short_kernel_name(kernel)) + "\n" + table.console();
}

// Findings of a source as a whole: a place and a message each.
std::string of_source(const ProfileRecord& record) {
  std::string text;
  for (const ToolFinding& finding : record.findings) {
    if (!finding.where.kernel.empty() || is_of_call(finding)) continue;
    const Place& where = finding.where;
    const std::string name = std::filesystem::path(where.file).filename();
    text += where.file.empty() ? "" : fmt::format("{}:{}: ", name, where.line);
    text += fmt::format("{} [{}, {}]\n", finding.meaning, finding.tool, finding.what);
  }
  return text.empty() ? text : "\n" + text;
}

std::string advice(const ProfileRecord& record, Device device) {
  if (record.advice.empty()) {
    const std::string measuring = device == Device::cuda ? "ncu" : "the roofline";
    const bool measured =
        std::any_of(record.tools.begin(), record.tools.end(), [](const ToolRecord& tool) {
          return (tool.tool == "ncu" || tool.tool == "roofline") && tool.ran();
        });
    return measured ? "\nNo advice.\n" : "\nNo advice; most of it needs " + measuring + ".\n";
  }
  std::string text = "\nAdvice, by the share of the call's time that it is about:\n";
  int number = 0;
  for (const Advice& one : record.advice) {
    text += fmt::format("{}. {} ({:.0f} %): {}\n", ++number, one.rule, 100 * one.stake, one.text);
  }
  return text;
}

}  // namespace

std::string profile_summary(const KernelRecord& record) {
  if (!record.profile) return heading(record);
  const ProfileRecord& profile = *record.profile;
  std::string text = heading(record) + tools(profile);
  std::vector<std::string> kernels;
  if (std::any_of(profile.findings.begin(), profile.findings.end(), is_of_call)) {
    kernels.emplace_back();
  }
  for (const ToolFinding& finding : profile.findings) {
    const std::string& kernel = finding.where.kernel;
    if (!kernel.empty() && std::find(kernels.begin(), kernels.end(), kernel) == kernels.end()) {
      kernels.push_back(kernel);
    }
  }
  for (const std::string& kernel : kernels) text += of_kernel(profile, kernel);
  return text + of_source(profile) + advice(profile, record.device);
}

}  // namespace robust_kbench
