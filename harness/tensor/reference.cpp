#include "tensor/reference.hpp"

#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "tensor/backward_graph.hpp"
#include "tensor/call_forward.hpp"
#include "tensor/tensor_spec.hpp"
#include "tensor/torch_cuda.hpp"

#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

// A kernel must return the dtypes of the contract, so the task's forward must return them too.
// Where it runs in another floating dtype, all floating dtypes count as equal.
void require_dtypes(const Task& task, const std::vector<Output>& outputs,
                    const std::vector<at::Tensor>& results, bool is_own) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const at::ScalarType dtype = results[i].scalar_type();
    const bool alike =
        !is_own && c10::isFloatingType(dtype) && c10::isFloatingType(outputs[i].dtype);
    if (alike || dtype == outputs[i].dtype) continue;
    throw UserError(
        fmt::format("task '{}': output '{}' is {}, and the contract says {}; set "
                    "Output::dtype, or convert it in forward",
                    task.name, outputs[i].name, dtype_name(dtype), dtype_name(outputs[i].dtype)));
  }
}

// Outputs that a kernel is handed must have the shapes of the forward's outputs.
void require_shapes(const Workload& workload, const std::vector<at::Tensor>& results) {
  const std::vector<OutArgument> handed = workload.out_arguments();
  for (std::size_t i = 0; i < handed.size(); ++i) {
    if (results[i].sizes() == handed[i].shape) continue;
    throw UserError(
        fmt::format("task '{}': output '{}' has the shape ({}), and out_arguments says "
                    "({}); mend one of the two",
                    workload.task.name, handed[i].name, fmt::join(results[i].sizes(), ", "),
                    fmt::join(handed[i].shape, ", ")));
  }
}

std::vector<at::Tensor> run_forward(const Task& task, const Params& params,
                                    const Tensors& tensors) {
  const c10::AutoGradMode no_grad(false);
  std::vector<at::Tensor> results;
  for (const at::Tensor& result : call_forward(task, params, tensors)) {
    results.push_back(result.contiguous());
  }
  return results;
}

std::vector<at::Tensor> run_backward(const Task& task, const Params& params,
                                     const Tensors& tensors) {
  const BackwardGraph graph(task, params, tensors);
  std::vector<at::Tensor> gradients = graph.gradients(/*retain_graph=*/false);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    at::Tensor& gradient = gradients[i];
    gradient = gradient.defined() ? gradient.contiguous() : at::zeros_like(graph.leaves()[i]);
  }
  return gradients;
}

// Computes in `dtype`, or in the tensors' own dtypes without one.
std::vector<at::Tensor> run(const Workload& workload, const Tensors& tensors,
                            std::optional<at::ScalarType> dtype) {
  const auto& [task, direction, params] = workload;
  const Contract& own = workload.contract();
  const Tensors converted = dtype ? as_dtype(tensors, *dtype) : tensors;
  std::vector<at::Tensor> results = direction == Direction::forward
                                        ? run_forward(task, params, converted)
                                        : run_backward(task, params, converted);
  require_dtypes(task, own.outputs, results, !dtype);
  require_shapes(workload, results);
  return results;
}

bool any_on_gpu(const Tensors& tensors) {
  return std::any_of(tensors.all().begin(), tensors.all().end(), [](const auto& named) {
    return named.second.defined() && named.second.is_cuda();
  });
}

}  // namespace

Tensors as_dtype(const Tensors& tensors, at::ScalarType dtype) {
  Tensors converted;
  for (const auto& [name, tensor] : tensors.all()) {
    const bool convert = tensor.defined() && tensor.is_floating_point();
    converted.set(name, convert ? tensor.to(dtype) : tensor);
  }
  return converted;
}

std::vector<at::Tensor> reference(const Workload& workload, const Tensors& tensors) {
  return computed_in(at::kDouble, workload, tensors);
}

std::vector<at::Tensor> eager(const Workload& workload, const Tensors& tensors) {
  if (!any_on_gpu(tensors)) return run(workload, tensors, std::nullopt);
  return with_gpu_memory([&] { return run(workload, tensors, std::nullopt); });
}

std::vector<at::Tensor> computed_in(at::ScalarType dtype, const Workload& workload,
                                    const Tensors& tensors) {
  if (!any_on_gpu(tensors)) return run(workload, tensors, dtype);
  prepare_gpu_references();
  return with_gpu_memory([&] { return run(workload, tensors, dtype); });
}

}  // namespace robust_kbench
