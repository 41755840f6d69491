#include "tensor/call_forward.hpp"

#include <string>
#include <utility>

#include "core/error.hpp"
#include "tensor/reference.hpp"
#include "tensor/workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

void require_count(const Task& task, const char* function, std::size_t returned,
                   const std::vector<std::string>& wanted) {
  if (returned == wanted.size()) return;
  throw UserError(
      fmt::format("task '{}': {} returned {} tensors instead of {} ({}); give it as many as the "
                  "outputs of forward_contract need",
                  task.name, function, returned, wanted.size(), fmt::join(wanted, ", ")));
}

}  // namespace

std::vector<at::Tensor> call_forward(const Task& task, const Params& params,
                                     const Tensors& tensors) {
  std::vector<at::Tensor> outputs = task.forward(tensors, params);
  std::vector<std::string> names;
  for (const Output& output : task.forward_contract.outputs) names.push_back(output.name);
  require_count(task, "forward", outputs.size(), names);
  return outputs;
}

std::vector<at::Tensor> call_near_kink(const Task& task, const Params& params,
                                       const Tensors& tensors, at::ScalarType precision) {
  std::vector<std::string> names;
  for (IncomingGradient& gradient : incoming_gradients(task)) {
    names.push_back(std::move(gradient.name));
  }
  std::vector<at::Tensor> near_kink = task.near_kink(as_dtype(tensors, precision), params);
  require_count(task, "near_kink", near_kink.size(), names);
  return near_kink;
}

}  // namespace robust_kbench
