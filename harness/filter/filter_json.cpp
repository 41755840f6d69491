#include "filter/filter_json.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr int schema_version = 1;

json or_null(const std::optional<double>& value) {
  return value ? json(*value) : json();
}

json to_json(const Measurement& measured) {
  json entry{
      {"what", measured.what}, {"where", measured.where}, {"value", or_null(measured.value)}};
  if (!measured.note.empty()) entry["note"] = measured.note;
  return entry;
}

json to_json(const FilterResult& result) {
  json measurements = json::array();
  for (const Measurement& measured : result.measurements) measurements.push_back(to_json(measured));
  return {{"filter", to_string(result.filter)},
          {"direction", to_string(result.direction)},
          {"status", to_string(result.status)},
          {"value", or_null(result.value)},
          {"threshold", or_null(result.threshold)},
          {"reason", result.reason},
          {"measurements", measurements}};
}

json to_json(const TaskVerdict& verdict) {
  json results = json::array();
  for (const FilterResult& result : verdict.results) results.push_back(to_json(result));
  return {{"task", verdict.task}, {"caught", verdict.caught()}, {"filters", results}};
}

}  // namespace

json filter_json(const FilterOptions& options, const std::vector<TaskVerdict>& verdicts,
                 const std::optional<SpeedupMeans>& speedups) {
  json tasks = json::array();
  for (const TaskVerdict& verdict : verdicts) tasks.push_back(to_json(verdict));
  json all{{"format", "robust-kbench filters"},
           {"version", schema_version},
           {"device", to_string(options.device)},
           {"seeds", options.seeds},
           {"nonce", options.nonce},
           {"tasks", tasks}};
  if (speedups) {
    all["speedups"] = {{"tasks", speedups->tasks},
                       {"mean", speedups->mean},
                       {"tasks_not_caught", speedups->tasks_not_caught},
                       {"mean_not_caught", or_null(speedups->mean_not_caught)}};
  }
  return all;
}

}  // namespace robust_kbench
