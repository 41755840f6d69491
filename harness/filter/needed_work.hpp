#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "filter/node_facts.hpp"

namespace robust_kbench {

// What a graph does, and what is left of it after algebra.
struct GraphWork {
  NodeWork done;
  NodeWork needed;
  std::vector<std::string> findings;  // "node 2 (aten::mean.dim) gives what it is given"
};

// `outputs` are the numbers of the tensors that the graph returns. Left out are nodes whose results
// are never used, the same for all inputs, or equal to what they are given. A product with a
// diagonal matrix is a scaling, one with a triangular matrix half a product. A sum over results of
// a product is a product of sums.
GraphWork needed_work(const std::vector<NodeFacts>& nodes, const std::vector<std::size_t>& outputs);

}  // namespace robust_kbench
