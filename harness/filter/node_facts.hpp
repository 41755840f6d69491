#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "filter/matrix_form.hpp"
#include "filter/node_work.hpp"
#include "torch_task/graph.hpp"

namespace robust_kbench {

// Properties that one node of a graph has in every watched call.
struct NodeFacts {
  std::string name;
  std::vector<std::size_t> taken;    // numbers of tensors
  std::vector<std::size_t> results;  // numbers of tensors
  ProductKind product = ProductKind::none;
  Factors factors = {};
  NodeWork work = {};
  double result_bytes = 0;
  double result_elements = 0;
  std::vector<double> taken_bytes = {};
  bool is_constant = true;     // the results are the same in each call
  bool repeats_tensor = true;  // its one result has the elements of its first tensor, in order
  MatrixForm left = MatrixForm::diagonal;  // of a product's factors, in typical calls
  MatrixForm right = MatrixForm::diagonal;
  bool is_linear_scaling = false;  // a view of its tensor, perhaps times a number
  bool is_sum = false;             // a sum or a mean
};

// Watches calls of one graph with different contents. The work is that of the first call.
class WatchedGraph {
 public:
  explicit WatchedGraph(const Graph& graph) : m_graph(graph) {}

  // Makes one call in float64. If it is not typical, the forms of matrices are ignored: a kernel
  // that tests for zeros first is right with any matrix.
  void call(const std::vector<at::Tensor>& inputs, at::ScalarType declared, bool is_typical);
  // Drops properties that another config's graph lacks, if it calls the same operators. With one
  // column, for example, each sum over columns returns its input.
  void keep_what_holds_in(const WatchedGraph& other);
  [[nodiscard]] const std::vector<NodeFacts>& nodes() const { return m_nodes; }

 private:
  void watch(std::size_t number, const GraphNode& node, const std::vector<at::Tensor>& tensors,
             const std::vector<at::Tensor>& results, bool is_typical);

  const Graph& m_graph;
  std::vector<NodeFacts> m_nodes;
  std::vector<std::vector<at::Tensor>> m_first_results;  // copies, of each node
};

}  // namespace robust_kbench
