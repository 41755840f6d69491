#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "torch_task/graph_node.hpp"

namespace robust_kbench {

// Whether the node decides about elements, so that its gradient has a kink.
bool decides(const GraphNode& node);

// Follows the decisions of a forward (a ReLU, a clamp, a 2 x 2 max pooling) to its outputs. An
// element is near a kink if it depends, element by element, on a decision that float32 may make
// otherwise (robust_kbench/kink.hpp). A decision is forgotten once its results are mixed with
// others, as in a matrix product: its share in each sum is small. Decisions about inputs and
// constants count for none, since float32 represents them exactly.
class GraphKinks {
 public:
  // `tensors` are the graph's inputs and constants. `in_float32` are the same in float32, or empty
  // if `tensors` are float32 already.
  GraphKinks(std::vector<at::Tensor> tensors, std::vector<at::Tensor> in_float32);

  // Computes one more node. `setting` has the floating dtype for the tensors that are not float32.
  void add(const GraphNode& node, const CallSetting& setting);

  // A bool tensor shaped like tensor `number`, or an undefined one if it is near no kink.
  [[nodiscard]] at::Tensor near_kink(std::size_t number) const { return m_near[number]; }

 private:
  [[nodiscard]] at::Tensor decided_by(const GraphNode& node) const;
  [[nodiscard]] at::Tensor inherited(const GraphNode& node, const at::Tensor& result,
                                     const CallSetting& setting) const;

  const std::size_t m_given;  // the number of inputs and constants
  std::vector<at::Tensor> m_tensors;
  std::vector<at::Tensor> m_in_float32;
  std::vector<at::Tensor> m_near;
};

}  // namespace robust_kbench
