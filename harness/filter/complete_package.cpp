#include "filter/complete_package.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "core/manifest.hpp"
#include "core/output_file.hpp"
#include "core/parse_json.hpp"
#include "core/text_file.hpp"
#include "evaluate/reference_seconds.hpp"
#include "filter/precision_claims.hpp"
#include "filter/probe_trial.hpp"
#include "filter/usual_cases.hpp"
#include "torch_task/graph_choices.hpp"
#include "torch_task/package.hpp"
#include "torch_task/package_files.hpp"

#include <c10/util/Exception.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Probes whose content has equal elements, or several NaNs.
constexpr std::array with_equal_elements{
    Probe::constant_rows,    Probe::ties,   Probe::repeated_row, Probe::late_weights,
    Probe::nan_and_infinity, Probe::masked, Probe::near_ties,    Probe::permuted};

// The part of the domain that the operators alone decide.
Domain domain_of(const Package& package) {
  std::vector<const Graph*> graphs;
  for (const PackagePoint& point : package.points) graphs.push_back(&package.graphs[point.graph]);
  const auto of_all = [&](bool (*is)(const Graph&)) {
    return std::ranges::all_of(graphs, [&](const Graph* graph) { return is(*graph); });
  };
  Domain domain{.chooses_among_inputs = of_all(chooses_among_inputs)};
  const bool gives_indices = std::ranges::any_of(
      package.points.front().output_dtypes,
      [](at::ScalarType dtype) { return c10::isIntegralType(dtype, /*includeBool=*/false); });
  if (!gives_indices || !of_all(orders_elements)) return domain;
  for (const Probe probe : with_equal_elements) {
    domain.inapplicable.push_back({probe, "which index of equal elements is first is open"});
  }
  return domain;
}

// A probe that both directions fail is left out of both.
void add_failed(std::vector<InapplicableProbe> failed, bool has_backward, Domain& domain) {
  for (InapplicableProbe& one : failed) {
    const auto other = std::ranges::find(domain.inapplicable, one.probe, &InapplicableProbe::probe);
    if (other != domain.inapplicable.end()) {
      other->direction.reset();
      continue;
    }
    if (!has_backward) one.direction.reset();
    domain.inapplicable.push_back(std::move(one));
  }
}

json domain_json(const Domain& domain) {
  json inapplicable = json::array();
  for (const InapplicableProbe& one : domain.inapplicable) {
    inapplicable.push_back({{"probe", to_string(one.probe)}, {"reason", one.reason}});
    if (one.direction) inapplicable.back()["direction"] = to_string(*one.direction);
  }
  json tried = json::array();
  for (const Probe probe : all_probes) tried.push_back(to_string(probe));
  return {{"inapplicable", inapplicable},
          {"tried", tried},
          {"chooses_among_inputs", domain.chooses_among_inputs}};
}

json number_or_null(const std::optional<double>& value) {
  return value ? json(*value) : json();
}

json claims_json(const PrecisionClaims& claims, std::size_t coarse) {
  json outputs = json::array();
  for (const OutputPrecision& found : claims.outputs) {
    outputs.push_back({{"output", found.output},
                       {"error", number_or_null(found.error)},
                       {"limit", number_or_null(found.limit)},
                       {"share", found.share}});
  }
  json told{{"cases", claims.cases}, {"passes", !claims.failed_on}, {"outputs", outputs}};
  if (claims.failed_on) {
    told["failed_on"] = *claims.failed_on;
    told["reason"] = claims.reason;
  }
  for (const char* field : {"rejected", "accepted"}) {
    told[field] = {{"arithmetic", json::array()}, {"constants", json::array()}};
  }
  for (std::size_t i = 0; i < claims.trials.size(); ++i) {
    const StandInTrial& trial = claims.trials[i];
    told[trial.accepted() ? "accepted" : "rejected"][i < coarse ? "arithmetic" : "constants"]
        .push_back(trial.kernel().name);
  }
  return told;
}

// The quick ones of the cases. If there is none, the cheapest case shows at least that torch's own
// result passes.
std::vector<Case> judged(const std::vector<Case>& cases, const FilterSubject& subject) {
  const auto seconds = [&](const Case& of) {
    return reference_seconds(subject.workload(of.config.params), Device::cpu);
  };
  std::vector<Case> chosen;
  std::ranges::copy_if(cases, std::back_inserter(chosen),
                       [&](const Case& of) { return seconds(of) <= quick_reference_seconds; });
  const auto cheapest = std::ranges::min_element(cases, {}, seconds);
  const bool is_affordable =
      cheapest != cases.end() && seconds(*cheapest) <= only_reference_seconds;
  if (chosen.empty() && is_affordable) chosen.push_back(*cheapest);
  return chosen;
}

json precision_of(const FilterSubject& subject) {
  const std::vector<Case> all = usual_cases(subject);
  const std::vector<Case> cases = judged(all, subject);
  std::vector<StandIn> stand_ins;
  std::size_t coarse = 0;
  if (!cases.empty()) {
    stand_ins = coarse_kernels(subject);
    coarse = stand_ins.size();
    std::ranges::move(constant_kernels(subject), std::back_inserter(stand_ins));
  }
  json told = claims_json(precision_claims(subject, cases, std::move(stand_ins)), coarse);
  told["left_out"] = all.size() - cases.size();
  return told;
}

}  // namespace

void complete_package(const fs::path& file, const fs::path& scratch) {
  const std::optional<std::string> text = read_text(file);
  json content = parse_json_if_any(text.value_or(""));
  const Package package = read_package(file);
  Task task = unpacked_task(file, scratch);
  task.domain = domain_of(package);
  const Manifest manifest;
  const FilterOptions options;
  json precision = json::object();
  try {
    const FilterSubject forward(manifest, task, Direction::forward, options);
    const bool has_backward = task.backward_contract.has_value();
    std::optional<FilterSubject> backward;
    if (has_backward) backward.emplace(manifest, task, Direction::backward, options);
    std::vector<InapplicableProbe> failed = failed_probes(forward);
    if (backward) std::ranges::move(failed_probes(*backward), std::back_inserter(failed));
    add_failed(std::move(failed), has_backward, *task.domain);
    precision["forward"] = precision_of(forward);
    if (backward) precision["backward"] = precision_of(*backward);
  } catch (const c10::Error& error) {
    content["notes"].push_back(std::string("Torch's own result was not judged: ") +
                               error.what_without_backtrace());
  }
  content["domain"] = domain_json(*task.domain);
  content["precision"] = std::move(precision);
  OutputFile(file.string()).write(content.dump() + "\n");
}

}  // namespace robust_kbench
