#include "tensor/backward_graph.hpp"

#include "tensor/call_forward.hpp"
#include "tensor/workload.hpp"

#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

namespace robust_kbench {

BackwardGraph::BackwardGraph(const Task& task, const Params& params, Tensors tensors) {
  const c10::AutoGradMode with_grad(true);
  for (const Output& output : task.backward_contract->outputs) {
    m_leaves.push_back(tensors[output.name].detach().set_requires_grad(true));
    tensors.set(output.name, m_leaves.back());
  }
  const std::vector<at::Tensor> outputs = call_forward(task, params, tensors);
  for (const auto& [name, output] : incoming_gradients(task)) {
    if (!outputs[output].requires_grad()) continue;
    m_outputs.push_back(outputs[output]);
    m_incoming_gradients.push_back(tensors[name]);
  }
}

std::vector<at::Tensor> BackwardGraph::gradients(bool retain_graph) const {
  if (m_outputs.empty()) return std::vector<at::Tensor>(m_leaves.size());
  return torch::autograd::grad(m_outputs, m_leaves, m_incoming_gradients, retain_graph,
                               /*create_graph=*/false,
                               /*allow_unused=*/true);
}

}  // namespace robust_kbench
