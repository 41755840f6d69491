#include "report/comparison_csv.hpp"

#include <cmath>
#include <vector>

#include "core/csv_cell.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// A row's cells in the order of the header.
struct ComparisonRow {
  std::string row, kernel, config;
  std::string base_verdict = {}, contender_verdict = {};
  std::string basis = {}, baseline = {};
  std::string base_us = {}, contender_us = {}, base_speedup = {}, contender_speedup = {};
  std::string speedup = {}, ci_low = {}, ci_high = {}, call = {};
  std::string worse = {};
};

constexpr const char* comparison_header =
    "row,kernel,config,base_verdict,contender_verdict,basis,baseline,base_us,contender_us,"
    "base_speedup,contender_speedup,speedup,ci_low,ci_high,call,worse\n";

std::string cell_of_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

void set_change(ComparisonRow& row, const SpeedupRecord& change, bool beyond) {
  row.speedup = cell_of_number(change.ratio);
  row.ci_low = cell_of_number(change.ci_low);
  row.ci_high = cell_of_number(change.ci_high);
  row.call = to_string(change.call);
  row.worse = beyond ? "yes" : "no";
}

ComparisonRow row_of(const ComparedKernel& kernel, const ComparedCase& c) {
  ComparisonRow row{.row = "time", .kernel = kernel.name, .config = c.config};
  row.basis = to_string(c.basis);
  row.baseline = c.baseline;
  row.base_us = cell_of_number(c.base_us);
  row.contender_us = cell_of_number(c.contender_us);
  if (!c.baseline.empty()) {
    row.base_speedup = cell_of_number(c.base_speedup);
    row.contender_speedup = cell_of_number(c.contender_speedup);
  }
  set_change(row, c.change, c.beyond);
  return row;
}

std::string csv_line(const ComparisonRow& row) {
  std::string line;
  for (const std::string* const cell :
       {&row.row, &row.kernel, &row.config, &row.base_verdict, &row.contender_verdict, &row.basis,
        &row.baseline, &row.base_us, &row.contender_us, &row.base_speedup, &row.contender_speedup,
        &row.speedup, &row.ci_low, &row.ci_high, &row.call, &row.worse}) {
    line += (cell == &row.row ? "" : ",") + csv_cell(*cell);
  }
  return line + "\n";
}

}  // namespace

std::string comparison_csv(const MeasurementComparison& comparison) {
  std::string text = comparison_header;
  for (const VerdictChange& change : comparison.verdicts) {
    text += csv_line({.row = "verdict",
                      .kernel = change.kernel,
                      .config = change.case_name,
                      .base_verdict = label(change.base),
                      .contender_verdict = label(change.contender),
                      .worse = change.is_worse() ? "yes" : "no"});
  }
  for (const ComparedKernel& kernel : comparison.kernels) {
    for (const ComparedCase& c : kernel.cases) text += csv_line(row_of(kernel, c));
    if (kernel.cases.size() < 2) continue;
    ComparisonRow mean{.row = "mean", .kernel = kernel.name, .config = ""};
    set_change(mean, kernel.mean, kernel.beyond);
    text += csv_line(mean);
  }
  return text;
}

}  // namespace robust_kbench
