#include "tensor/stacked_task.hpp"

#include <atomic>
#include <memory>
#include <vector>

#include "tensor/tensor_spec.hpp"
#include "tensor/vmap.hpp"

#include <ATen/ops/stack.h>
#include <c10/util/Exception.h>

namespace robust_kbench {
namespace {

using Specs = std::function<std::vector<TensorSpec>(const Params&)>;
using TaskFunction = std::function<OutputTensors(const Tensors&, const Params&)>;

Specs stacked(const Specs& specs, std::int64_t calls) {
  if (!specs) return {};
  return [=](const Params& params) {
    std::vector<TensorSpec> stacked;
    for (TensorSpec& spec : specs(params)) stacked.push_back(for_calls(std::move(spec), calls));
    return stacked;
  };
}

std::vector<at::Tensor> one_by_one(const CallFunction& function, const Tensors& tensors,
                                   std::int64_t calls) {
  std::vector<std::vector<at::Tensor>> of_outputs;
  for (std::int64_t i = 0; i < calls; ++i) {
    const std::vector<at::Tensor> results = function(call_of(tensors, i));
    of_outputs.resize(results.size());
    for (std::size_t output = 0; output < results.size(); ++output) {
      of_outputs[output].push_back(results[output]);
    }
  }
  std::vector<at::Tensor> stacked;
  for (const std::vector<at::Tensor>& results : of_outputs) {
    stacked.push_back(results.front().defined() ? at::stack(results) : at::Tensor());
  }
  return stacked;
}

// Whether the first stacked call has the results of the function alone, up to rounding. Some of
// torch's operators broadcast a batched bias wrongly.
bool are_of_first_call(const std::vector<at::Tensor>& stacked,
                       const std::vector<at::Tensor>& alone) {
  constexpr double rounding = 1e-3;
  if (stacked.size() != alone.size()) return false;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    if (stacked[i].defined() != alone[i].defined()) return false;
    if (!alone[i].defined()) continue;
    const at::Tensor first = stacked[i].select(0, 0);
    if (first.sizes() != alone[i].sizes()) return false;
    const at::Tensor expected = alone[i].to(at::kDouble);
    const auto error = first.to(at::kDouble).sub(expected).norm().item<double>();
    if (!(error <= rounding * expected.norm().item<double>())) return false;
  }
  return true;
}

TaskFunction stacked(const TaskFunction& function, std::int64_t calls) {
  if (!function) return {};
  const auto at_once = std::make_shared<std::atomic<bool>>(true);  // until it fails
  return [=](const Tensors& tensors, const Params& params) {
    const CallFunction of_call = [&](const Tensors& call) { return function(call, params); };
    if (!*at_once) return OutputTensors(one_by_one(of_call, tensors, calls));
    try {
      std::vector<at::Tensor> results = vmap(of_call, tensors, calls);
      if (are_of_first_call(results, of_call(call_of(tensors, 0)))) return OutputTensors(results);
    } catch (const c10::Error&) {  // an operator that needs the calls one by one
    }
    *at_once = false;
    return OutputTensors(one_by_one(of_call, tensors, calls));
  };
}

Contract stacked(Contract contract, std::int64_t calls) {
  contract.arguments = {};
  contract.out_arguments = {};
  contract.inputs = stacked(contract.inputs, calls);
  contract.cost = {};
  return contract;
}

}  // namespace

Task stacked_task(const Task& task, std::int64_t calls) {
  Task many = task;
  many.weights = stacked(task.weights, calls);
  many.inputs = stacked(task.inputs, calls);
  many.forward = stacked(task.forward, calls);
  many.near_kink = stacked(task.near_kink, calls);
  many.forward_contract = stacked(task.forward_contract, calls);
  if (task.backward_contract) many.backward_contract = stacked(*task.backward_contract, calls);
  many.shapes.reset();
  many.domain.reset();
  return many;
}

Tensors call_of(const Tensors& stacked, std::int64_t index) {
  Tensors call;
  for (const auto& [name, tensor] : stacked.all()) {
    call.set(name, tensor.defined() ? tensor.select(0, index) : tensor);
  }
  return call;
}

}  // namespace robust_kbench
