#include "torch_task/imported_task.hpp"

#include <algorithm>
#include <utility>

namespace robust_kbench {
namespace {

using Shared = std::shared_ptr<const Package>;

std::vector<at::Tensor> inputs_of(const Graph& graph, const Tensors& tensors) {
  std::vector<at::Tensor> inputs;
  for (const std::string& name : graph.inputs()) inputs.push_back(tensors[name]);
  return inputs;
}

OutputTensors run(const Package& package, const Tensors& tensors, const Params& params) {
  const PackagePoint& point = package.point(params);
  const Graph& graph = package.graphs[point.graph];
  return graph.run(inputs_of(graph, tensors), point.dtype());
}

// Integral outputs are left out, since they have no gradients.
OutputTensors near_kink(const Package& package, const Tensors& tensors, const Params& params) {
  const PackagePoint& point = package.point(params);
  const Graph& graph = package.graphs[point.graph];
  const std::vector<at::Tensor> all = graph.near_kinks(inputs_of(graph, tensors), point.dtype());
  std::vector<at::Tensor> near;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (c10::isFloatingType(point.output_dtypes[i])) near.push_back(all[i]);
  }
  return near;
}

template <typename Member>
auto of_point(const Shared& package, Member member) {
  return [package, member](const Params& params) { return package->point(params).*member; };
}

// An empty function if the package lacks longest sums. Then the outputs' own tolerances hold.
std::function<std::vector<std::int64_t>(const Params&)> sums(
    const Shared& package, std::vector<std::int64_t> PackagePoint::*member) {
  const bool known = std::ranges::none_of(
      package->points, [&](const PackagePoint& point) { return (point.*member).empty(); });
  if (!known) return {};
  return of_point(package, member);
}

std::vector<Output> forward_outputs(const Package& package) {
  const PackagePoint& point = package.points.front();
  std::vector<Output> outputs;
  for (std::size_t i = 0; i < point.outputs.size(); ++i) {
    outputs.push_back({.name = point.outputs[i], .dtype = point.output_dtypes[i]});
  }
  return outputs;
}

// The tensor exists, since a package is refused that asks for the gradient of anything else.
const TensorSpec& tensor_of(const PackagePoint& point, const std::string& name) {
  const auto found = std::ranges::find(point.inputs, name, &TensorSpec::name);
  return found != point.inputs.end() ? *found
                                     : *std::ranges::find(point.weights, name, &TensorSpec::name);
}

std::vector<Output> backward_outputs(const Package& package) {
  std::vector<Output> outputs;
  for (const std::string& name : package.backward_outputs) {
    const TensorSpec& tensor = tensor_of(package.points.front(), name);
    outputs.push_back({.name = name, .dtype = tensor.dtype.value_or(at::kFloat)});
  }
  return outputs;
}

std::vector<std::vector<std::int64_t>> shapes_of_gradients(const Package& package,
                                                           const Params& params) {
  std::vector<std::vector<std::int64_t>> shapes;
  for (const std::string& name : package.backward_outputs) {
    shapes.push_back(tensor_of(package.point(params), name).shape);
  }
  return shapes;
}

}  // namespace

Task imported_task(const std::filesystem::path& package) {
  return imported_task(std::make_shared<const Package>(read_package(package)), package);
}

Task imported_task(Shared package, const std::filesystem::path& file) {
  Task task{
      .name = package->name,
      .summary = package->summary,
      .defaults = package->defaults,
      .inputs = of_point(package, &PackagePoint::inputs),
      .forward = [package](const Tensors& tensors,
                           const Params& params) { return run(*package, tensors, params); },
      .forward_contract = {.arguments = of_point(package, &PackagePoint::arguments),
                           .outputs = forward_outputs(*package),
                           .cost = of_point(package, &PackagePoint::cost),
                           .longest_sums = sums(package, &PackagePoint::longest_sums)},
      .domain = package->domain,
      .package = file,
  };
  if (package->out_arguments) {
    task.forward_contract.out_arguments = of_point(package, &PackagePoint::output_shapes);
  }
  const auto has_weights = [](const PackagePoint& point) { return !point.weights.empty(); };
  if (std::ranges::any_of(package->points, has_weights)) {
    task.weights = of_point(package, &PackagePoint::weights);
  }
  if (!package->backward_outputs.empty()) {
    task.backward_contract =
        Contract{.arguments = of_point(package, &PackagePoint::backward_arguments),
                 .outputs = backward_outputs(*package),
                 .cost = of_point(package, &PackagePoint::backward_cost),
                 .grad_output = of_point(package, &PackagePoint::grad_output),
                 .longest_sums = sums(package, &PackagePoint::backward_longest_sums)};
    if (package->out_arguments) {
      task.backward_contract->out_arguments = [package](const Params& params) {
        return shapes_of_gradients(*package, params);
      };
    }
  }
  if (std::ranges::any_of(package->graphs, &Graph::has_kinks)) {
    task.near_kink = [package](const Tensors& tensors, const Params& params) {
      return near_kink(*package, tensors, params);
    };
  }
  if (!package->drawn.empty()) {
    task.shapes = Shapes{.points = package->drawn, .large = package->large};
  }
  return task;
}

}  // namespace robust_kbench
