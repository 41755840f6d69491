#include "archive/export_t4.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/refusal.hpp"
#include "archive/run_times.hpp"
#include "archive/stored_record.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr double ms_per_second = 1000;

// T4's words for the outcome of a configuration, by verdict or class of a reason. Any other failure
// is `runtime`.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> invalidities{{
    {"pass", "correct"},
    {refusal::slower, "correct"},
    {"compile_error", "compile"},
    {"load_error", "compile"},
    {"timeout", "timeout"},
    {"restriction", "constraints"},
    {"wrong_result", "correctness"},
    {"nondeterministic", "correctness"},
    {"cheat", "correctness"},
    {"unsafe", "correctness"},
}};

std::string invalidity_of(const ProposalRow& proposal, const std::optional<KernelRecord>& record) {
  const bool is_right = record ? record->judgement.verdict == Verdict::pass
                               : proposal.outcome != ProposalOutcome::open &&
                                     proposal.outcome != ProposalOutcome::refused;
  std::string_view what = proposal.reason_class;
  if (record) what = to_string(record->judgement.verdict);
  if (is_right) what = "pass";
  const auto known =
      std::ranges::find(invalidities, what, [](const auto& row) { return row.first; });
  return std::string(known == invalidities.end() ? "runtime" : known->second);
}

// Sums the times of these kinds of evaluations (docs/archive.md).
double ms_spent(const ProposalRow& proposal, const std::vector<std::string>& kinds) {
  double sum = 0;
  for (const std::string& kind : kinds) {
    const auto found = proposal.seconds.find(kind);
    if (found != proposal.seconds.end()) sum += found->second * ms_per_second;
  }
  return sum;
}

json runtimes_of(const KernelRecord& record) {
  json times = json::array();
  for (const ConfigTimingRecord& config : record.timings) {
    if (const TimingRecord* kernel = config.find("kernel")) {
      times.push_back(kernel->median_us / us_per_ms);
    }
  }
  return times;
}

json result_of(const ProposalRow& proposal, const std::optional<KernelRecord>& record,
               const RunTimes& run_times) {
  const std::string invalidity = invalidity_of(proposal, record);
  const std::optional<double> mean_us = run_times.kernel_us(proposal, record);
  json measurements = json::array();
  if (mean_us) {
    measurements.push_back({{"name", "time"}, {"value", *mean_us / us_per_ms}, {"unit", "ms"}});
  }
  if (proposal.speedup) {
    measurements.push_back({{"name", "speedup"}, {"value", *proposal.speedup}, {"unit", ""}});
  }
  return {{"timestamp", proposal.created_at},
          {"configuration", proposal.settings.at("tunables")},
          {"times",
           {{"compilation_time", ms_spent(proposal, {"compile"})},
            {"validation", ms_spent(proposal, {"screen", "test", "memcheck"})},
            {"framework", ms_spent(proposal, {"race"})},
            {"search_algorithm", 0},  // unknown to every archive
            {"runtimes", record ? runtimes_of(*record) : json::array()}}},
          {"invalidity", invalidity},
          {"correctness", invalidity == "correctness" ? 0 : 1},
          {"measurements", measurements},
          {"objectives", json::array({"time"})}};
}

}  // namespace

json export_t4(const Archive& archive, const std::string& run) {
  json results = json::array();
  const std::vector<ProposalRow> proposals = archive.proposals(run);
  const RunTimes run_times(archive, proposals);
  for (const ProposalRow& proposal : proposals) {
    const bool is_tuned = proposal.settings.contains("tunables");
    if (!is_tuned || proposal.reason_class == refusal::duplicate) continue;
    results.push_back(result_of(proposal, record_of(archive, proposal), run_times));
  }
  return {{"schema_version", "1.0.0"}, {"results", results}};
}

}  // namespace robust_kbench
