#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>
#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

struct GraphNode;
class GraphConstants;

// An operator as a list of calls of torch's operators (docs/packages.md). Calls go to torch's
// dispatcher one after another, as eager mode sends them, so autograd and vmap work through them.
class Graph {
 public:
  // Throws UserError if the JSON is no graph, calls an operator that packages may not call, or
  // calls one otherwise than torch's schema says.
  explicit Graph(const nlohmann::json& json);
  // The graph without the results of one node. Where another node or an output takes such a result,
  // it takes the node's first tensor instead. Throws UserError if the node takes none.
  [[nodiscard]] Graph without(std::size_t node) const;

  // The names of the tensors that run() takes.
  [[nodiscard]] const std::vector<std::string>& inputs() const { return m_inputs; }
  // The operator that each node calls, in order: "aten::max.dim".
  [[nodiscard]] std::vector<std::string> operators() const;

  // The outputs for tensors in the order of inputs(), all on one device. An absent tensor is
  // undefined. `declared` is the floating dtype of the module. If the tensors have another one,
  // such as float64 for a reference, every floating dtype and constant of the graph becomes that.
  [[nodiscard]] std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs,
                                            at::ScalarType declared) const;

  // Sees one node that run() has computed. `tensors` are all tensors so far, by their numbers;
  // those that are no longer needed are undefined.
  using Watch = std::function<void(const GraphNode& node, const std::vector<at::Tensor>& tensors,
                                   const std::vector<at::Tensor>& results)>;
  // Runs the graph as run() does, and calls `watch` after each node, in order.
  std::vector<at::Tensor> run_watched(const std::vector<at::Tensor>& inputs,
                                      at::ScalarType declared, const Watch& watch) const;
  // The numbers of the tensors that run() returns.
  [[nodiscard]] const std::vector<std::size_t>& outputs() const { return m_outputs; }
  // The number of inputs and constants, whose numbers are below those of results.
  [[nodiscard]] std::size_t given() const;

  // For each output a bool tensor of its shape, true near a kink (torch_task/graph_kinks.hpp), or
  // an undefined one if there is none.
  [[nodiscard]] std::vector<at::Tensor> near_kinks(const std::vector<at::Tensor>& inputs,
                                                   at::ScalarType declared) const;

  // Whether any node decides about elements, as decides() says.
  [[nodiscard]] bool has_kinks() const;

 private:
  void find_last_uses();

  std::vector<std::string> m_inputs;
  std::shared_ptr<GraphConstants> m_constants;
  std::vector<std::shared_ptr<const GraphNode>> m_nodes;
  std::vector<std::size_t> m_outputs;
  std::vector<std::vector<std::size_t>> m_last_used;  // for each node: numbers of tensors
  std::optional<std::size_t> m_skipped;               // the node that without() left out
};

}  // namespace robust_kbench
