#pragma once

#include "torch_task/graph.hpp"

// What a graph's operators say of equal elements, NaN and infinity.
namespace robust_kbench {

// Whether it chooses among its inputs' elements, and else only moves them: a pooling, a maximum.
bool chooses_among_inputs(const Graph& graph);

// Whether it puts elements in order: a sort, the k greatest. Which index of equal ones comes first
// is open then, and torch's differs between devices.
bool orders_elements(const Graph& graph);

}  // namespace robust_kbench
