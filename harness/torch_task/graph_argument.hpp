#pragma once

#include <cstddef>

#include "torch_task/graph_node.hpp"

#include <ATen/core/function_schema.h>

namespace robust_kbench {

// Reads what a package passes for one argument of a schema. `json` is null if it passes nothing, so
// that the schema's default holds. `known` is the number of tensors so far. Throws UserError if the
// argument does not take it.
GraphNode::Passed read_argument(const nlohmann::json* json, const c10::Argument& argument,
                                std::size_t known);

// A dtype by its name in Python. Throws UserError that lists those that packages may name.
at::ScalarType parse_dtype(const std::string& name);

}  // namespace robust_kbench
