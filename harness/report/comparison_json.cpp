#include "report/comparison_json.hpp"

#include "core/json_fields.hpp"

namespace robust_kbench {
namespace {

using nlohmann::json;

// A change with the field `beyond`.
json changed(const SpeedupRecord& change, bool beyond) {
  return {{"ratio", number(change.ratio)},
          {"ci_low", number(change.ci_low)},
          {"ci_high", number(change.ci_high)},
          {"call", to_string(change.call)},
          {"doubt", change.doubt},
          {"beyond_threshold", beyond}};
}

json case_of(const ComparedCase& c) {
  const bool has_baseline = !c.baseline.empty();
  json object = changed(c.change, c.beyond);
  object.update(
      {{"config", c.config},
       {"basis", to_string(c.basis)},
       {"base_us", number(c.base_us)},
       {"contender_us", number(c.contender_us)},
       {"baseline", c.baseline},
       {"base_speedup", has_baseline ? number(c.base_speedup) : json(nullptr)},
       {"contender_speedup", has_baseline ? number(c.contender_speedup) : json(nullptr)}});
  return object;
}

json kernel_of(const ComparedKernel& kernel) {
  json cases = json::array();
  for (const ComparedCase& c : kernel.cases) cases.push_back(case_of(c));
  return {{"name", kernel.name},
          {"base_name", kernel.base_name},
          {"path", kernel.path},
          {"mean", changed(kernel.mean, kernel.beyond)},
          {"cases", cases}};
}

json verdict_of(const VerdictChange& change) {
  return {{"kernel", change.kernel},    {"case", change.case_name},
          {"base", label(change.base)}, {"contender", label(change.contender)},
          {"worse", change.is_worse()}, {"reason", change.contender.reason}};
}

}  // namespace

json comparison_json(const MeasurementComparison& comparison) {
  json verdicts = json::array();
  for (const VerdictChange& change : comparison.verdicts) verdicts.push_back(verdict_of(change));
  json kernels = json::array();
  for (const ComparedKernel& kernel : comparison.kernels) kernels.push_back(kernel_of(kernel));
  json not_compared = json::array();
  for (const NotCompared& what : comparison.not_compared) {
    not_compared.push_back({{"name", what.name}, {"why", what.why}});
  }
  return {{"comparison_schema_version", comparison_schema_version},
          {"base", comparison.base},
          {"base_machines", comparison.base_machines},
          {"contender", comparison.contender},
          {"contender_machines", comparison.contender_machines},
          {"threshold_percent", number(100 * comparison.threshold)},
          {"worse", comparison.is_worse()},
          {"verdicts", verdicts},
          {"kernels", kernels},
          {"mean", comparison.mean ? changed(*comparison.mean, false) : json(nullptr)},
          {"not_compared", not_compared}};
}

}  // namespace robust_kbench
