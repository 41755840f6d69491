#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "filter/node_facts.hpp"

namespace robust_kbench {

// The work of a graph, and the work that remains after algebraic simplification.
struct GraphWork {
  NodeWork done;
  NodeWork needed;
  std::vector<std::string> findings;  // "node 2 (aten::mean.dim) has no part in the outputs"
};

// `outputs` are the numbers of the tensors that the graph returns. Nodes are omitted whose results
// are never used, the same for all inputs, or equal to their tensor. A product with a diagonal
// matrix is a scaling, one with a triangular matrix half a product. A sum over results of a product
// is a product of sums.
GraphWork needed_work(const std::vector<NodeFacts>& nodes, const std::vector<std::size_t>& outputs);

}  // namespace robust_kbench
