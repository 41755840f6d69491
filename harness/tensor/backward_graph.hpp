#pragma once

#include <vector>

#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The forward of one call as autograd has recorded it, ready for its backward.
class BackwardGraph {
 public:
  // `tensors` are those of a backward call. They keep no gradients.
  BackwardGraph(const Task& task, const Params& params, Tensors tensors);

  // The gradients that the contract asks for, in its order. A gradient is undefined if no output
  // depends on its tensor. With `retain_graph` this may be called again.
  [[nodiscard]] std::vector<at::Tensor> gradients(bool retain_graph) const;

  // The tensors whose gradients gradients() returns.
  [[nodiscard]] const std::vector<at::Tensor>& leaves() const { return m_leaves; }

 private:
  std::vector<at::Tensor> m_leaves;
  std::vector<at::Tensor> m_outputs;             // the outputs that depend on a leaf
  std::vector<at::Tensor> m_incoming_gradients;  // of m_outputs
};

}  // namespace robust_kbench
