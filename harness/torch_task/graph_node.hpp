#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The difference between a call and the one that was imported.
struct CallSetting {
  c10::Device device = c10::kCPU;
  std::optional<at::ScalarType> floating;  // replaces every floating dtype; none: each stays
};

// One call of a torch operator.
struct GraphNode {
  // The value of one argument of the schema.
  struct Passed {
    enum class Kind { value, tensor, tensors, optional_tensors, floating_dtype, device };
    Kind kind = Kind::value;
    c10::IValue value = {};
    // The numbers of the tensors, none for a missing tensor.
    std::vector<std::optional<std::size_t>> tensors = {};
  };

  std::string name;  // "aten::max.dim"
  c10::OperatorHandle call;
  std::vector<Passed> passed;
  std::size_t outputs;  // number of tensors that it returns

  // The numbers of all tensors that the node takes.
  [[nodiscard]] std::vector<std::size_t> taken() const;
  // The tensors that the call returns. Throws UserError if their number is not `outputs`.
  [[nodiscard]] std::vector<at::Tensor> run(const std::vector<at::Tensor>& tensors,
                                            const CallSetting& setting) const;
};

// Reads node `number` of a graph. `given` is the number of the graph's inputs and constants, and
// `known` that of tensors before the node. Throws UserError as Graph() does.
GraphNode read_node(const nlohmann::json& json, std::size_t number, std::size_t given,
                    std::size_t known);

}  // namespace robust_kbench
