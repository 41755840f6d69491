#include "core/error.hpp"
#include "filter/package_graphs.hpp"
#include "filter/stand_in.hpp"
#include "tensor/reference.hpp"

#include <c10/core/GradMode.h>
#include <fmt/format.h>

namespace robust_kbench {
namespace {

// Results in float64, so that they differ from the reference only by the omitted node.
std::vector<at::Tensor> results_without(const PackageGraphs& graphs, const std::string& call,
                                        std::size_t node, const Params& params,
                                        const Tensors& tensors) {
  const Graph& graph = graphs.graph(params);
  const std::vector<std::string> calls = graph.operators();
  if (node >= calls.size() || calls[node] != call) {
    throw UserError("another config's graph has another node here");
  }
  const c10::AutoGradMode no_grad(false);
  return graph.without(node).run(graphs.inputs(params, as_dtype(tensors, at::kDouble)),
                                 graphs.package().point(params).dtype());
}

}  // namespace

std::vector<StandIn> kernels_without_a_node(const FilterSubject& subject) {
  std::vector<StandIn> kernels;
  const auto graphs = PackageGraphs::of(subject.task());
  if (!graphs || subject.direction() == Direction::backward) return kernels;
  const std::vector<std::string> calls =
      graphs->graph(subject.configs().front().params).operators();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    kernels.push_back({.name = fmt::format("the operator without node {} ({})", i, calls[i]),
                       .outputs = all_outputs(subject),
                       .answer =
                           [graphs, call = calls[i], i](const Case& of, const Content& content) {
                             return results_without(*graphs, call, i, of.config.params,
                                                    content.tensors);
                           },
                       .node = i});
  }
  return kernels;
}

}  // namespace robust_kbench
