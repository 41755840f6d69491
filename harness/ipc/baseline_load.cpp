#include "ipc/baseline_load.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/case.hpp"
#include "core/error.hpp"
#include "core/params_json.hpp"
#include "core/parse_json.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;
using Kind = BaselineLoad::Kind;

constexpr std::array<std::pair<Kind, std::string_view>, 6> kind_names{{
    {Kind::eager, "eager"},
    {Kind::package, "package"},
    {Kind::noop, "noop"},
    {Kind::dirtying_noop, "dirtying_noop"},
    {Kind::empty, "empty"},
    {Kind::nothing, "nothing"},
}};

Params params_from(const json& object) {
  Params params;
  for (const auto& [name, value] : object.items()) {
    if (value.is_boolean()) {
      params.set(name, value.get<bool>());
    } else if (value.is_number_integer()) {
      params.set(name, value.get<std::int64_t>());
    } else if (value.is_number()) {
      params.set(name, value.get<double>());
    } else {
      params.set(name, value.get<std::string>());
    }
  }
  return params;
}

}  // namespace

Load encode(const BaselineLoad& load) {
  const auto name =
      std::ranges::find(kind_names, load.kind, [](const auto& row) { return row.first; });
  const json entry{{"tf32", load.tf32},
                   {"captured", load.captured},
                   {"task", load.task},
                   {"direction", to_string(load.direction)},
                   {"params", params_json(load.params)},
                   {"package", load.package}};
  return {.library = std::string(name->second), .entry = entry.dump()};
}

BaselineLoad decode_baseline_load(const Load& load) try {
  const auto kind =
      std::ranges::find(kind_names, load.library, [](const auto& row) { return row.second; });
  if (kind == kind_names.end()) throw HarnessError("'" + load.library + "' is unknown");
  const json entry = parse_json(load.entry);
  return {.kind = kind->first,
          .tf32 = entry.at("tf32"),
          .captured = entry.at("captured"),
          .task = entry.at("task"),
          .direction = parse_direction(entry.at("direction").get<std::string>()),
          .params = params_from(entry.at("params")),
          .package = entry.at("package")};
} catch (const std::exception& error) {
  throw HarnessError(std::string("what a baseline is to load is malformed: ") + error.what());
}

}  // namespace robust_kbench
