#include "archive/export_csv.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "archive/dataset_row.hpp"
#include "archive/stored_record.hpp"
#include "core/csv_cell.hpp"
#include "core/scrub.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

using Row = DatasetRow;

std::string number_cell(std::optional<double> value) {
  return value ? json(*value).dump() : "";
}

// Python's spelling, since Python wrote the published files.
std::string boolean(bool value) {
  return value ? "True" : "False";
}

bool is_correct(const Row& row) {
  return is_right(row.proposal, row.record);
}

std::optional<double> runtime_us(const Row& row) {
  return row.times.kernel_us(row.proposal, row.record);
}

std::string runtime(const Row& row) {
  const auto mean_us = runtime_us(row);
  return mean_us ? number_cell(*mean_us / us_per_ms) : "";
}

std::string speedup_over(const Row& row, const std::string& baseline) {
  const auto kernel_us = runtime_us(row);
  const auto baseline_us = row.times.first_race_us(baseline);
  return kernel_us && baseline_us ? number_cell(*baseline_us / *kernel_us) : "";
}

std::string greatest_error(const Row& row) {
  std::optional<double> greatest;
  if (!row.record) return "";
  for (const CaseRecord& test : row.record->cases) {
    for (const OutputError& error : test.errors) {
      greatest = std::max(greatest, std::optional(error.max_abs));
    }
  }
  return number_cell(greatest);
}

// The findings of one tool, a line each.
std::string findings(const Row& row, std::string_view tool) {
  std::string text;
  if (!row.record || !row.record->profile) return text;
  for (const ToolFinding& finding : row.record->profile->findings) {
    if (finding.tool == tool) text += finding.meaning + "\n";
  }
  return text;
}

// The feedback of the profile to the next proposals: a model's words where one was asked, else
// those of rules.
std::string feedback(const Row& row) {
  std::string text;
  if (!row.messages.profiling.empty()) return row.messages.profiling.back().at("content");
  if (!row.record || !row.record->profile) return text;
  for (const Advice& advice : row.record->profile->advice) text += advice.text + "\n";
  return text;
}

std::string source(const Row& row) {
  return has_source(row.proposal) ? row.archive.content(row.proposal.source_hash) : "";
}

std::string file_name(const Row& row) {
  return has_source(row.proposal) ? row.folder + "/" + kernel_file(row.proposal) : "";
}

std::string messages_file(const Row& row) {
  return row.messages.proposing.empty() ? "" : row.folder + "/msg_hist.json";
}

// The proposer's description of its kernel, a text of the settings.
std::string description(const Row& row) {
  const auto found = row.settings.find("description");
  return found != row.settings.end() && found->is_string() ? found->get<std::string>() : "";
}

double dollars(MicroDollars amount) {
  constexpr double per_dollar = 1e6;
  return static_cast<double>(amount.count) / per_dollar;
}

std::string cost(std::optional<MicroDollars> amount) {
  return amount ? number_cell(dollars(*amount)) : "";
}

std::optional<MicroDollars> verifiers_cost(const Row& row) {
  if (row.costs.by_verifier.empty()) return std::nullopt;
  MicroDollars total;
  for (const auto& [verifier, amount] : row.costs.by_verifier) {
    if (!amount) return std::nullopt;
    total = total + *amount;
  }
  return total;
}

std::string verifier_costs(const Row& row) {
  const auto total = verifiers_cost(row);
  if (!total) return "";
  json costs{{"total", dollars(*total)}};
  for (const auto& [verifier, amount] : row.costs.by_verifier) costs[verifier] = dollars(*amount);
  return costs.dump();
}

std::string verifier_responses(const Row& row) {
  if (row.messages.by_verifier.empty()) return "";
  return json(row.messages.by_verifier).dump();
}

// The mean of the votes in the settings. A vote is 1, 0 or, if the verifier abstained, null.
std::optional<double> aggregated(const json& votes) {
  double sum = 0;
  int count = 0;
  for (const json& vote : votes) {
    if (!vote.is_number()) continue;
    sum += vote.get<double>();
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

json votes(const Row& row) {
  const auto found = row.settings.find("votes");
  return found != row.settings.end() && found->is_object() ? *found : json::object();
}

std::string individual(const Row& row) {
  json all = votes(row);
  if (all.empty()) return "";
  const std::optional<double> mean = aggregated(all);
  all["aggregate"] = mean ? json(*mean) : json(nullptr);
  return all.dump();
}

using Cell = std::string (*)(const Row&);

constexpr std::array<std::pair<std::string_view, Cell>, 27> columns{{
    {"Batch ID", [](const Row& row) { return std::to_string(row.proposal.generation); }},
    {"Sample ID", [](const Row& row) { return std::to_string(row.proposal.sample); }},
    {"Kernel Name", [](const Row& row) { return row.name; }},
    {"CUDA Filename", file_name},
    {"Correct", [](const Row& row) { return boolean(is_correct(row)); }},
    {"Runtime (ms)", runtime},
    {"Speedup", [](const Row& row) { return speedup_over(row, "eager"); }},
    {"Speedup Compile", [](const Row& row) { return speedup_over(row, "compile"); }},
    {"Max Diff", greatest_error},
    {"Error", [](const Row& row) { return is_correct(row) ? "" : row.proposal.reason; }},
    {"Error Type",
     [](const Row& row) { return is_correct(row) ? "none" : row.proposal.reason_class; }},
    {"Thought", description},
    {"Code", source},
    {"Settings", [](const Row& row) { return row.settings.dump(); }},
    {"NCU Profile", [](const Row& row) { return findings(row, "ncu"); }},
    {"Torch Profile", [](const Row& row) { return findings(row, "cupti"); }},
    {"Clang Tidy", [](const Row& row) { return findings(row, "clang-tidy"); }},
    {"Profiler Feedback", feedback},
    {"Msg Hist Filename", messages_file},
    {"CUDA API Costs", [](const Row& row) { return cost(row.costs.proposing); }},
    {"Verifier Aggregated", [](const Row& row) { return number_cell(aggregated(votes(row))); }},
    {"Verifier Individual", individual},
    {"Verifier Responses", verifier_responses},
    {"Verifier API Costs", verifier_costs},
    {"Verifier API Costs Total", [](const Row& row) { return cost(verifiers_cost(row)); }},
    {"task_name", [](const Row& row) { return row.run.entry.task; }},
    {"forward",
     [](const Row& row) { return boolean(row.run.entry.direction == Direction::forward); }},
}};

}  // namespace

void export_csv(const Archive& archive, const std::string& run, std::ostream& out,
                const std::vector<std::string>& directories) {
  const RunRow run_row = archive.run(run);
  const Scrubber scrubber = usual_scrubber(archive.directory(), directories);
  const DatasetRows rows(archive, run_row, scrubber);
  const char* separator = "";
  for (const auto& [name, cell] : columns) {
    out << separator << name;
    separator = ",";
  }
  out << "\n";
  for (std::size_t i = 0; i < rows.proposals().size(); ++i) {
    const DatasetRow row = rows.row(i);
    separator = "";
    for (const auto& [name, cell] : columns) {
      out << separator << csv_cell(scrubber.scrubbed(std::string_view(cell(row))));
      separator = ",";
    }
    out << "\n";
  }
}

}  // namespace robust_kbench
