#include "package_requests.hpp"

#include "bench/packages.hpp"
#include "evaluate/scope.hpp"
#include "evaluate/test_plan.hpp"
#include "tensor/generator.hpp"
#include "tensor/tensor_spec.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

json tensors_json(const Workload& workload) {
  const Tensors call = make_tensors(workload, 1);
  json tensors = json::array();
  for (const std::string& name : workload.tensor_names()) {
    const at::Tensor& tensor = call[name];
    if (!tensor.defined()) {
      tensors.push_back({{"name", name}, {"shape", nullptr}, {"dtype", nullptr}});
      continue;
    }
    tensors.push_back({{"name", name},
                       {"shape", tensor.sizes().vec()},
                       {"dtype", dtype_name(tensor.scalar_type())}});
  }
  return tensors;
}

json argument_json(const Argument& argument, const Params& params) {
  switch (argument.kind) {
    case Argument::Kind::tensor:
      return {{"tensor", argument.names.at(0)}};
    case Argument::Kind::tensor_tuple:
      return {{"tensors", argument.names}};
    case Argument::Kind::integers:
      return {{"value", argument.integers}};
    case Argument::Kind::parameter:
      break;
  }
  json value;
  std::visit([&](const auto& v) { value = v; }, params.values().at(argument.names.at(0)));
  return {{"value", std::move(value)}};
}

}  // namespace

json package_requests(const Manifest& manifest, const TaskRegistry& tasks, ConfigSet configs,
                      Device device) {
  json requests = json::array();
  for (const TaskDirectory& directory : manifest.tasks) {
    if (!directory.package.empty()) continue;  // for `rkb compile-baseline`
    const Task& task = tasks.find(directory.name);
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      if (direction == Direction::backward && !task.backward_contract) continue;
      const Entry entry{.task = task.name, .direction = direction};
      for (const Config& config : configs_of(manifest, task, direction, {configs})) {
        const Workload workload{task, direction, config.params};
        json arguments = json::array();
        for (const Argument& argument : workload.arguments()) {
          arguments.push_back(argument_json(argument, config.params));
        }
        requests.push_back({{"entry", entry.name()},
                            {"direction", to_string(direction)},
                            {"config", config.name},
                            {"reference", directory.directory + "/reference.py"},
                            {"package", package_path(manifest, task, direction, device, config)},
                            {"device", to_string(device)},
                            {"tensors", tensors_json(workload)},
                            {"arguments", std::move(arguments)}});
      }
    }
  }
  return requests;
}

}  // namespace robust_kbench
