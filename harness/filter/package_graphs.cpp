#include "filter/package_graphs.hpp"

namespace robust_kbench {

std::shared_ptr<const PackageGraphs> PackageGraphs::of(const Task& task) {
  if (task.package.empty()) return nullptr;
  return std::make_shared<const PackageGraphs>(read_package(task.package));
}

const Graph& PackageGraphs::graph(const Params& params) const {
  return m_package.graphs[m_package.point(params).graph];
}

std::vector<at::Tensor> PackageGraphs::inputs(const Params& params, const Tensors& tensors) const {
  std::vector<at::Tensor> inputs;
  for (const std::string& name : graph(params).inputs()) inputs.push_back(tensors[name]);
  return inputs;
}

}  // namespace robust_kbench
