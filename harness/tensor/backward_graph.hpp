#pragma once

#include <vector>

#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The forward of one call as autograd has recorded it, ready for its backward.
class BackwardGraph {
 public:
  // `tensors`: of a backward call. No gradient stays behind in them.
  BackwardGraph(const Task& task, const Params& params, Tensors tensors);

  // The gradients that the contract asks for, in its order; undefined where nothing depends on the
  // tensor. With `retain_graph` it may be called again.
  [[nodiscard]] std::vector<at::Tensor> gradients(bool retain_graph) const;

  // The tensors whose gradients they are.
  [[nodiscard]] const std::vector<at::Tensor>& leaves() const { return m_leaves; }

 private:
  std::vector<at::Tensor> m_leaves;
  std::vector<at::Tensor> m_outputs;             // those that depend on a leaf
  std::vector<at::Tensor> m_incoming_gradients;  // theirs
};

}  // namespace robust_kbench
