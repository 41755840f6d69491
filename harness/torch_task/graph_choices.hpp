#pragma once

#include "torch_task/graph.hpp"

// Properties of a graph that matter for equal elements, NaN and infinity.
namespace robust_kbench {

// Whether the graph chooses among its inputs' elements, as poolings and maxima do, and else only
// moves them.
bool chooses_among_inputs(const Graph& graph);

// Whether the graph puts elements in order, as a sort does, or the k greatest. The order of equal
// elements' indices is open then, and torch's differs between devices.
bool orders_elements(const Graph& graph);

}  // namespace robust_kbench
