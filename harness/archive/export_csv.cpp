#include "archive/export_csv.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "archive/stored_record.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr double us_per_ms = 1000;

struct Row {
  const Archive& archive;
  const RunRow& run;
  const ProposalRow& proposal;
  const std::optional<KernelRecord>& record;
};

std::string number(std::optional<double> value) {
  return value ? json(*value).dump() : "";
}

// As Python writes them, in which the published files were made.
std::string boolean(bool value) {
  return value ? "True" : "False";
}

bool is_correct(const Row& row) {
  return row.record && row.record->judgement.verdict == Verdict::pass;
}

std::string runtime(const Row& row) {
  const auto mean_us = row.record ? mean_kernel_us(*row.record) : std::nullopt;
  return mean_us ? number(*mean_us / us_per_ms) : "";
}

std::string speedup_over(const Row& row, std::string_view baseline) {
  if (!row.record) return "";
  const auto& speedups = row.record->mean_speedups;
  const auto found = std::ranges::find(speedups, baseline, &SpeedupRecord::against);
  return found == speedups.end() ? "" : number(found->ratio);
}

std::string greatest_error(const Row& row) {
  std::optional<double> greatest;
  if (!row.record) return "";
  for (const CaseRecord& test : row.record->cases) {
    for (const OutputError& error : test.errors) {
      greatest = std::max(greatest, std::optional(error.max_abs));
    }
  }
  return number(greatest);
}

// What one tool found, a line each.
std::string findings(const Row& row, std::string_view tool) {
  std::string text;
  if (!row.record || !row.record->profile) return text;
  for (const ToolFinding& finding : row.record->profile->findings) {
    if (finding.tool == tool) text += finding.meaning + "\n";
  }
  return text;
}

std::string advice(const Row& row) {
  std::string text;
  if (!row.record || !row.record->profile) return text;
  for (const Advice& advice : row.record->profile->advice) text += advice.text + "\n";
  return text;
}

std::string source(const Row& row) {
  const std::string& hash = row.proposal.source_hash;
  return hash.empty() ? "" : row.archive.content(hash);
}

std::string file_name(const Row& row) {
  const std::string& hash = row.proposal.source_hash;
  if (hash.empty()) return "";
  return std::filesystem::relative(row.archive.content_path(hash), row.archive.directory());
}

std::string nothing(const Row&) {
  return "";
}

using Cell = std::string (*)(const Row&);

constexpr std::array<std::pair<std::string_view, Cell>, 27> columns{{
    {"Batch ID", [](const Row& row) { return std::to_string(row.proposal.generation); }},
    {"Sample ID", [](const Row& row) { return std::to_string(row.proposal.sample); }},
    {"Kernel Name", [](const Row& row) { return row.record ? row.record->name : std::string(); }},
    {"CUDA Filename", file_name},
    {"Correct", [](const Row& row) { return boolean(is_correct(row)); }},
    {"Runtime (ms)", runtime},
    {"Speedup", [](const Row& row) { return speedup_over(row, "eager"); }},
    {"Speedup Compile", [](const Row& row) { return speedup_over(row, "compile"); }},
    {"Max Diff", greatest_error},
    {"Error", [](const Row& row) { return is_correct(row) ? "" : row.proposal.reason; }},
    {"Error Type",
     [](const Row& row) { return is_correct(row) ? "none" : row.proposal.reason_class; }},
    {"Thought", nothing},
    {"Code", source},
    {"Settings", [](const Row& row) { return row.proposal.settings.dump(); }},
    {"NCU Profile", [](const Row& row) { return findings(row, "ncu"); }},
    {"Torch Profile", [](const Row& row) { return findings(row, "cupti"); }},
    {"Clang Tidy", [](const Row& row) { return findings(row, "clang-tidy"); }},
    {"Profiler Feedback", advice},
    {"Msg Hist Filename", nothing},
    {"CUDA API Costs", nothing},
    {"Verifier Aggregated", nothing},
    {"Verifier Individual", nothing},
    {"Verifier Responses", nothing},
    {"Verifier API Costs", nothing},
    {"Verifier API Costs Total", nothing},
    {"task_name", [](const Row& row) { return row.run.entry.task; }},
    {"forward",
     [](const Row& row) { return boolean(row.run.entry.direction == Direction::forward); }},
}};

// RFC 4180: quoted where a comma, a quote or a line's end is in it.
std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string text = "\"";
  for (const char character : cell) {
    if (character == '"') text += '"';
    text += character;
  }
  return text + "\"";
}

}  // namespace

void export_csv(const Archive& archive, const std::string& run, std::ostream& out) {
  const RunRow run_row = archive.run(run);
  const char* separator = "";
  for (const auto& [name, cell] : columns) {
    out << separator << name;
    separator = ",";
  }
  out << "\n";
  for (const ProposalRow& proposal : archive.proposals(run)) {
    const std::optional<KernelRecord> record = record_of(archive, proposal);
    const Row row{archive, run_row, proposal, record};
    separator = "";
    for (const auto& [name, cell] : columns) {
      out << separator << quoted(cell(row));
      separator = ",";
    }
    out << "\n";
  }
}

}  // namespace robust_kbench
