#include "report/machine_blocks.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/capability.hpp"
#include "report/page_blocks.hpp"
#include "report/summary.hpp"
#include "report/verdict_blocks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

// What the estimators of ipc/estimate.hpp and our own measure, for a reader of the page.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> estimators{{
    {"robust",
     "decides: the broker's clock, fresh workers by turns, new content and addresses for each "
     "call, a cold cache, outputs checked while timed"},
    {"hot", "the same with a warm cache"},
    {"latency", "from the call until the host learns of its end"},
    {"events", "events around each of 2000 calls with the same content"},
    {"do_bench", "the median over 100 ms of calls, each after a memset"},
    {"autorange", "the median over blocks of calls, by the host's clock"},
    {"cupti", "the summed time of kernels and copies that CUPTI records"},
    {"graph", "launches of the call as a CUDA graph"},
    {"replay",
     "calls that are one CUDA graph, by the broker's clock: the kernel's without its host code, a "
     "baseline's as torch's work is captured"},
}};

TableBlock estimators_of(const std::vector<KernelRecord>& records) {
  std::set<std::string> used;
  for (const KernelRecord& record : records) {
    for (const ConfigTimingRecord& config : record.timings) {
      for (const EstimateRecord& estimate : all_estimates(config)) {
        if (estimate.time_us > 0) used.insert(estimate.estimator);
      }
    }
  }
  TableBlock table({"estimator", "measures"});
  for (const auto& [name, what] : estimators) {
    if (used.contains(std::string(name))) table.add({std::string(name), std::string(what)});
  }
  return table;
}

// "interval 11, cap 2".
std::string stops_of(const KernelRecord& record) {
  std::map<std::string, int> stops;
  for (const ConfigTimingRecord& config : record.timings) {
    ++stops[std::string(to_string(config.subjects.front().stopped_by))];
  }
  std::vector<std::string> parts;
  parts.reserve(stops.size());
  for (const auto& [name, count] : stops) parts.push_back(fmt::format("{} {}", name, count));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string doubts_of(const KernelRecord& record) {
  std::set<std::string> doubts;
  for (const SpeedupRecord& mean : record.mean_speedups) {
    if (!mean.doubt.empty()) doubts.insert(mean.doubt + " (over " + mean.against + ")");
  }
  for (const ConfigTimingRecord& config : record.timings) {
    if (!config.disturbance.empty()) doubts.insert(config.disturbance);
  }
  return fmt::format("{}", fmt::join(doubts, "; "));
}

TableBlock firmness_of(const std::vector<KernelRecord>& records) {
  TableBlock table({"kernel", "configs", "workers", "samples", "dropped", "checked calls",
                    "timing ended by", "disturbed or doubted by"});
  for (std::size_t i = 0; i < records.size(); ++i) {
    const KernelRecord& record = records[i];
    if (record.timings.empty()) continue;
    int workers = 0;
    int samples = 0;
    int dropped = 0;
    int verified = 0;
    for (const ConfigTimingRecord& config : record.timings) {
      const TimingRecord& own = config.subjects.front();
      workers = std::max(workers, own.workers);
      samples += own.samples;
      dropped += own.dropped;
      verified += own.verified_calls;
    }
    table.add({link_cell(kernel_title(record), kernel_target(i)),
               count_cell(static_cast<long long>(record.timings.size())), count_cell(workers),
               count_cell(samples), count_cell(dropped), count_cell(verified), stops_of(record),
               doubts_of(record)});
  }
  return table;
}

// The facts of a machine that are the same for all kernels in a row of the table.
std::vector<std::string> machine_facts(const KernelRecord& record) {
  const MachineRecord& machine = *record.machine;
  return {machine.cpu,   std::to_string(machine.cpus), record.gpu, machine.driver, machine.rkb,
          machine.torch, record.build.compiler};
}

}  // namespace

nlohmann::json use_blocks(const std::vector<KernelRecord>& records) {
  TableBlock table({"kernel", "class", "symbol", "file", "line"});
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (const CapabilityUse& use : records[i].build.uses) {
      table.add({link_cell(kernel_title(records[i]), kernel_target(i)),
                 std::string(to_string(use.capability)), use.symbol, use.source,
                 use.line == 0 ? nlohmann::json() : count_cell(use.line)});
    }
  }
  if (table.empty()) return nlohmann::json::array();
  return nlohmann::json::array(
      {text_block("Functions, instructions and texts by which a kernel's code reaches beyond "
                  "arithmetic. Kernels that are not listed ask for nothing.",
                  "note"),
       table.json()});
}

nlohmann::json judged_blocks(const std::vector<KernelRecord>& records) {
  const TableBlock firmness = firmness_of(records);
  if (firmness.empty()) return nlohmann::json::array();
  return nlohmann::json::array(
      {text_block("Every time and speed-up of this page is of the estimator robust, unless its "
                  "table names another. Intervals are bootstrapped over workers and their samples.",
                  "note"),
       estimators_of(records).json(), heading_block("How firm each kernel's figures are"),
       firmness.json()});
}

nlohmann::json machine_blocks(const std::vector<KernelRecord>& records) {
  struct Use {
    std::string first, last;
    int kernels = 0;
  };
  std::map<std::vector<std::string>, Use> machines;
  for (const KernelRecord& record : records) {
    if (!record.machine) continue;
    Use& use = machines[machine_facts(record)];
    const std::string& date = record.machine->date;
    if (use.kernels == 0 || date < use.first) use.first = date;
    use.last = std::max(use.last, date);
    ++use.kernels;
  }
  if (machines.empty()) return nlohmann::json::array();
  TableBlock table(
      {"CPU", "processors", "GPU", "driver", "rkb", "torch", "compiler", "kernels", "from", "to"});
  for (const auto& [facts, use] : machines) {
    std::vector<nlohmann::json> row(facts.begin(), facts.end());
    row.push_back(count_cell(use.kernels));
    row.emplace_back(use.first);
    row.emplace_back(use.last);
    table.add(std::move(row));
  }
  return nlohmann::json::array({table.json()});
}

}  // namespace robust_kbench
