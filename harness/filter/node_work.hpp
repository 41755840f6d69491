#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "torch_task/graph_node.hpp"

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// The cost of one call of an operator in eager mode.
struct NodeWork {
  double flops = 0;  // a multiply-add counts 2, another element of a result 1
  double bytes = 0;  // every tensor read once, every result written once

  NodeWork& operator+=(const NodeWork& more) {
    flops += more.flops;
    bytes += more.bytes;
    return *this;
  }
};

// The work of one call. It is zero for a view, whose result lies in the memory of its argument.
// `taken` are the tensors of GraphNode::taken(), in its order.
NodeWork work_of(const GraphNode& node, const std::vector<at::Tensor>& taken,
                 const std::vector<at::Tensor>& results);

// "aten::sum" of "aten::sum.dim_IntList".
std::string_view without_overload(const std::string& name);

enum class ProductKind {
  none,
  matrices,     // of two matrices or batches of them: mm, bmm, matmul, linear, addmm
  convolution,  // transposed or not
};

ProductKind product_kind(const GraphNode& node);

// The positions of a product's two factors among the schema's arguments.
struct Factors {
  std::size_t left = 0;
  std::size_t right = 1;
};
Factors factors_of(const GraphNode& node);

}  // namespace robust_kbench
