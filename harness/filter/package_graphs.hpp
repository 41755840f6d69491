#pragma once

#include <memory>
#include <vector>

#include "torch_task/package.hpp"

namespace robust_kbench {

// The graphs of an imported task.
class PackageGraphs {
 public:
  // Null for a linked task. Throws UserError as read_package() does.
  static std::shared_ptr<const PackageGraphs> of(const Task& task);

  explicit PackageGraphs(Package package) : m_package(std::move(package)) {}

  [[nodiscard]] const Package& package() const { return m_package; }
  [[nodiscard]] const Graph& graph(const Params& params) const;
  // The tensors in the order of the graph's inputs.
  [[nodiscard]] std::vector<at::Tensor> inputs(const Params& params, const Tensors& tensors) const;

 private:
  Package m_package;
};

}  // namespace robust_kbench
