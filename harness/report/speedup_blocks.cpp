#include "report/speedup_blocks.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <set>
#include <string>

#include "core/capability.hpp"
#include "core/coverage.hpp"
#include "report/baseline_means.hpp"
#include "report/page_blocks.hpp"
#include "report/summary.hpp"
#include "report/verdict_blocks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

constexpr std::array against_names{"eager", "compile", "best baseline"};

// A kernel with its means over `against_names`.
struct Compared {
  const KernelRecord* record;
  std::size_t index;
  std::array<std::optional<SpeedupRecord>, against_names.size()> means;

  [[nodiscard]] bool is_compared() const {
    return std::ranges::any_of(means, [](const auto& mean) { return mean.has_value(); });
  }
  [[nodiscard]] double rank() const {
    for (const auto& mean : means) {
      if (mean) return mean->ratio;
    }
    return -std::numeric_limits<double>::infinity();
  }
};

std::vector<Compared> compared(const std::vector<KernelRecord>& records) {
  std::vector<Compared> all;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const KernelRecord& record = records[i];
    all.push_back({.record = &record,
                   .index = i,
                   .means = {mean_over(record, "eager"), mean_over(record, "compile"),
                             mean_over_best_baseline(record)}});
  }
  std::ranges::stable_sort(all, std::greater<>(), &Compared::rank);
  return all;
}

void add_mean(std::vector<nlohmann::json>& row, const std::optional<SpeedupRecord>& mean) {
  row.push_back(mean ? ratio_cell(mean->ratio) : nlohmann::json());
  row.push_back(mean ? interval_cell({mean->ci_low, mean->ci_high}) : nlohmann::json());
}

nlohmann::json time_or_null(const std::optional<double>& us) {
  return us ? time_cell(*us) : nlohmann::json();
}

TableBlock kernel_table(const std::vector<Compared>& all) {
  TableBlock table({"kernel", "device", "verdict", "scope", "cases", "time", "eager's time",
                    "over eager", "95 % interval", "over compile", "95 % interval",
                    "over best baseline", "95 % interval", "of configs", "asks for"});
  for (const Compared& kernel : all) {
    const KernelRecord& record = *kernel.record;
    std::vector<nlohmann::json> row{
        link_cell(kernel_title(record), kernel_target(kernel.index)),
        record.gpu.empty() ? std::string(to_string(record.device)) : record.gpu,
        verdict_cell(record.judgement),
        std::string(to_string(record.coverage)),
        cases_text(record),
        time_or_null(mean_us(record, "kernel")),
        time_or_null(mean_us(record, "eager"))};
    for (const auto& mean : kernel.means) add_mean(row, mean);
    row.emplace_back(range_over_configs(record));
    row.emplace_back(used_capabilities(record.build.uses));
    table.add(std::move(row));
  }
  return table;
}

// The chart leaves a series out that no kernel has.
nlohmann::json speedup_chart(const std::vector<Compared>& all) {
  nlohmann::json categories = nlohmann::json::array();
  for (const Compared& kernel : all) {
    if (kernel.is_compared()) categories.push_back(kernel_title(*kernel.record));
  }
  nlohmann::json series = nlohmann::json::array();
  for (std::size_t i = 0; i < against_names.size(); ++i) {
    nlohmann::json points = nlohmann::json::array();
    bool has_point = false;
    for (const Compared& kernel : all) {
      if (!kernel.is_compared()) continue;
      const std::optional<SpeedupRecord>& mean = kernel.means.at(i);
      has_point = has_point || mean;
      points.push_back(mean ? nlohmann::json({mean->ci_low, mean->ratio, mean->ci_high})
                            : nlohmann::json());
    }
    // With one baseline alone, this one is the best.
    const bool is_best = i + 1 == against_names.size();
    const bool is_told = is_best && series.size() == 1 && series.front()["points"] == points;
    if (!has_point || is_told) continue;
    series.push_back({{"name", std::string("over ") + against_names.at(i)}, {"points", points}});
  }
  return {{"type", "intervals"},
          {"axis", {{"name", "speed-up"}, {"log", true}, {"base", 2}}},
          {"reference", 1},
          {"categories", std::move(categories)},
          {"series", std::move(series)}};
}

}  // namespace

nlohmann::json speedup_blocks(const std::vector<KernelRecord>& records) {
  const std::vector<Compared> all = compared(records);
  const TableBlock table = kernel_table(all);
  const nlohmann::json chart = speedup_chart(all);
  if (chart["categories"].empty()) return nlohmann::json::array({table.json()});
  return nlohmann::json::array(
      {text_block("Geometric means over the configs, with 95 % intervals. Right of the dashed line "
                  "the kernel is faster. The best baseline is the fastest of each config that "
                  "computes in float32.",
                  "note"),
       chart_block(chart, table)});
}

nlohmann::json roofline_blocks(const std::vector<KernelRecord>& records) {
  TableBlock table({"kernel", "mean, %", "least, %", "most, %", "bound by"});
  nlohmann::json categories = nlohmann::json::array();
  nlohmann::json values = nlohmann::json::array();
  const auto percent = [](double value) {
    return number_cell(value, fmt::format("{:.0f}", value));
  };
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::optional<double> mean = mean_roofline_percent(records[i]);
    if (!mean) continue;
    std::vector<double> shares;
    std::set<std::string> bounds;
    for (const ConfigTimingRecord& config : records[i].timings) {
      if (!config.roofline) continue;
      shares.push_back(roofline_percent(config));
      bounds.insert(config.roofline->bound);
    }
    const auto [least, most] = std::ranges::minmax(shares);
    table.add({link_cell(kernel_title(records[i]), kernel_target(i)), percent(*mean),
               percent(least), percent(most), fmt::format("{}", fmt::join(bounds, "; "))});
    categories.push_back(kernel_title(records[i]));
    values.push_back(*mean);
  }
  if (table.empty()) return nlohmann::json::array();
  nlohmann::json chart{
      {"type", "bars"},
      {"axis", {{"name", "share of the GPU's rate, %"}}},
      {"categories", std::move(categories)},
      {"series", nlohmann::json::array({{{"name", "mean over configs"}, {"values", values}}})}};
  return nlohmann::json::array({chart_block(std::move(chart), table)});
}

}  // namespace robust_kbench
