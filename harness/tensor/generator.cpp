#include "tensor/generator.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/error.hpp"
#include "core/seed.hpp"
#include "tensor/fill.hpp"
#include "tensor/fill_on_device.hpp"
#include "tensor/reference.hpp"
#include "tensor/spec_check.hpp"
#include "tensor/torch_cuda.hpp"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>

namespace robust_kbench {
namespace {

// At least: less is done before a second thread has started.
constexpr std::int64_t elements_per_thread = std::int64_t{1} << 18;

std::int64_t element_count(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

// Of the contract's distribution, and 0 where the float64 forward is near a decision (see
// Task::near_kink).
at::Tensor grad_output(const Task& task, const Params& params, const Tensors& tensors,
                       std::uint64_t seed, c10::Device device) {
  const c10::AutoGradMode no_grad(false);
  at::Tensor near_kink;
  if (task.near_kink) near_kink = task.near_kink(as_dtype(tensors, at::kDouble), params);
  const std::vector<std::int64_t> shape =
      near_kink.defined() ? near_kink.sizes().vec() : task.forward(tensors, params).sizes().vec();
  TensorSpec spec{.name = "grad_output", .shape = shape};
  if (const auto& own = contract(task, Direction::backward).grad_output) {
    spec.distribution = own(params);
  }
  at::Tensor grad = generate(spec, tensor_key(task.name, "grad_output", seed), device);
  if (near_kink.defined()) grad.masked_fill_(near_kink, 0.0);
  return grad;
}

}  // namespace

void generate(const Distribution& distribution, std::uint64_t key, void* out, std::int64_t count) {
  // Calls `fill` for each thread's part of the elements.
  const auto in_parts = [&](auto* elements, auto* fill) {
    at::parallel_for(0, count, elements_per_thread, [&](std::int64_t begin, std::int64_t end) {
      fill(distribution, key, elements + begin, begin, end - begin);
    });
  };
  switch (distribution.kind) {
    case Distribution::Kind::normal:
      return in_parts(static_cast<float*>(out), fill_normal);
    case Distribution::Kind::uniform:
      return in_parts(static_cast<float*>(out), fill_uniform);
    case Distribution::Kind::integers:
      return in_parts(static_cast<std::int64_t*>(out), fill_integers);
    case Distribution::Kind::constant:
      std::fill_n(static_cast<float*>(out), count, static_cast<float>(distribution.a));
      return;
    case Distribution::Kind::zero:
      std::fill_n(static_cast<float*>(out), count, 0.0F);
      return;
  }
  throw HarnessError("generate: distribution kind " +
                     std::to_string(static_cast<int>(distribution.kind)) + " is unknown");
}

at::Tensor generate(const TensorSpec& spec, std::uint64_t key, c10::Device device) {
  if (!spec.present) return {};
  check_spec(spec);
  const Distribution::Kind kind = spec.distribution.kind;
  const bool random = kind == Distribution::Kind::normal || kind == Distribution::Kind::uniform;
  if (random && !device.is_cpu()) {
    return fill_on_device(spec.distribution, key, element_count(spec.shape), device)
        .view(spec.shape);
  }
  const bool integral = kind == Distribution::Kind::integers;
  at::Tensor tensor = at::empty(spec.shape, integral ? at::kLong : at::kFloat);
  generate(spec.distribution, key, tensor.mutable_data_ptr(), tensor.numel());
  return tensor.to(device);
}

namespace {

Tensors make_all(const Task& task, bool backward, const Params& params, std::uint64_t seed,
                 c10::Device device) {
  const Direction direction = backward ? Direction::backward : Direction::forward;
  Tensors tensors;
  const auto add = [&](const std::vector<TensorSpec>& specs) {
    for (const TensorSpec& spec : specs) {
      tensors.set(spec.name, generate(spec, tensor_key(task.name, spec.name, seed), device));
    }
  };
  if (task.weights) add(task.weights(params));
  const auto& own_inputs = contract(task, direction).inputs;
  add(own_inputs ? own_inputs(params) : task.inputs(params));
  if (backward) tensors.set("grad_output", grad_output(task, params, tensors, seed, device));
  return tensors;
}

}  // namespace

Tensors make_tensors(const Task& task, bool backward, const Params& params, std::uint64_t seed,
                     c10::Device device) {
  if (!device.is_cuda()) return make_all(task, backward, params, seed, device);
  load_torch_cuda();
  return with_gpu_memory([&] { return make_all(task, backward, params, seed, device); });
}

}  // namespace robust_kbench
