#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// How a call differs from the one that was imported.
struct CallSetting {
  c10::Device device = c10::kCPU;
  std::optional<at::ScalarType> floating;  // what every floating dtype becomes; none: nothing
};

// One call of an operator of torch.
struct GraphNode {
  // What is passed for one argument of the schema.
  struct Passed {
    enum class Kind { value, tensor, tensors, optional_tensors, floating_dtype, device };
    Kind kind = Kind::value;
    c10::IValue value = {};
    // Numbers of the tensors; none for a missing one.
    std::vector<std::optional<std::size_t>> tensors = {};
  };

  std::string name;  // "aten::max.dim"
  c10::OperatorHandle call;
  std::vector<Passed> passed;
  std::size_t outputs;  // tensors that it returns

  // Every tensor that it takes.
  [[nodiscard]] std::vector<std::size_t> taken() const;
  // The tensors that the call returns. Throws UserError where they are not as many as `outputs`.
  [[nodiscard]] std::vector<at::Tensor> run(const std::vector<at::Tensor>& tensors,
                                            const CallSetting& setting) const;
};

// Node `number` of a graph. `given`: how many inputs and constants the graph has. `known`: how many
// tensors there are before the node. Throws UserError as Graph() does.
GraphNode read_node(const nlohmann::json& json, std::size_t number, std::size_t given,
                    std::size_t known);

}  // namespace robust_kbench
