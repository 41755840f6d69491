#include "bench/baseline.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "ipc/baseline_load.hpp"

namespace robust_kbench {

Task with_baseline_arguments(const Task& task, Direction direction) {
  Task baseline = task;
  Contract& contract = direction == Direction::forward ? baseline.forward_contract
                                                       : baseline.backward_contract.value();
  contract.arguments = [task, direction](const Params& params) {
    std::vector<Argument> arguments;
    for (std::string& name : Workload{task, direction, params}.tensor_names()) {
      arguments.push_back(tensor(std::move(name)));
    }
    return arguments;
  };
  contract.out_arguments = {};
  return baseline;
}

Baseline parse_baseline(const std::string& name, Device device) {
  constexpr std::string_view suffix = "_tf32";
  const bool tf32 = std::string_view(name).ends_with(suffix);
  const std::string kind = tf32 ? name.substr(0, name.size() - suffix.size()) : name;
  const bool gpu = device == Device::cuda;
  if (name == "empty" && gpu) return {.kind = Baseline::Kind::empty, .tf32 = false};
  if (gpu || !tf32) {
    if (kind == "eager") return {.kind = Baseline::Kind::eager, .tf32 = tf32};
    if (kind == "compile") return {.kind = Baseline::Kind::compile, .tf32 = tf32};
    if (kind == "graph" && gpu) return {.kind = Baseline::Kind::graph, .tf32 = tf32};
  }
  throw UserError(
      "baseline '" + name + "' does not exist on device " + std::string(to_string(device)) +
      "; known: " +
      (gpu ? "empty, and eager, compile and graph, each also with _tf32" : "eager, compile"));
}

Load load_empty() {
  return encode({.kind = BaselineLoad::Kind::empty});
}

Load load_eager(const Baseline& baseline, const Workload& workload) {
  return encode({.kind = BaselineLoad::Kind::eager,
                 .tf32 = baseline.tf32,
                 .captured = baseline.kind == Baseline::Kind::graph,
                 .task = workload.task.name,
                 .direction = workload.direction,
                 .params = workload.params,
                 .package = workload.task.package});
}

Load load_package(const Baseline& baseline, const std::string& path) {
  return encode({.kind = BaselineLoad::Kind::package, .tf32 = baseline.tf32, .package = path});
}

std::optional<Load> captured(const Load& baseline) {
  BaselineLoad load = decode_baseline_load(baseline);
  if (load.kind == BaselineLoad::Kind::empty) return std::nullopt;
  load.captured = true;
  return encode(load);
}

}  // namespace robust_kbench
