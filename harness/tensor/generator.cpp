#include "tensor/generator.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/error.hpp"
#include "core/seed.hpp"
#include "tensor/call_forward.hpp"
#include "tensor/fill.hpp"
#include "tensor/fill_on_device.hpp"
#include "tensor/spec_check.hpp"
#include "tensor/tensor_spec.hpp"
#include "tensor/torch_cuda.hpp"
#include "tensor/workload.hpp"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <c10/core/GradMode.h>

namespace robust_kbench {
namespace {

using Kind = Distribution::Kind;

// Least work for a thread. Less would be done before a second thread has started.
constexpr std::int64_t elements_per_thread = std::int64_t{1} << 18;

std::int64_t element_count(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

// A new CPU tensor, of which `fill` makes each thread's part.
template <typename Element, typename Fill>
at::Tensor filled(const TensorSpec& spec, std::uint64_t key, at::ScalarType dtype, Fill* fill) {
  at::Tensor tensor = at::empty(spec.shape, dtype);
  auto* elements = tensor.mutable_data_ptr<Element>();
  at::parallel_for(0, tensor.numel(), elements_per_thread,
                   [&](std::int64_t begin, std::int64_t end) {
                     fill(spec.distribution, key, elements + begin, begin, end - begin);
                   });
  return tensor;
}

// Numbers of a normal or uniform distribution in float32.
at::Tensor draw_floats(const TensorSpec& spec, std::uint64_t key, c10::Device device) {
  if (!device.is_cpu()) {
    return fill_on_device(spec.distribution, key, element_count(spec.shape), device)
        .view(spec.shape);
  }
  return filled<float>(spec, key, at::kFloat,
                       spec.distribution.kind == Kind::normal ? fill_normal : fill_uniform);
}

// Extends float32 numbers by the further bits of float64. Each moves up by a random part of its
// last place, so none leaves the limits of its distribution.
at::Tensor widened(const at::Tensor& drawn, std::uint64_t key) {
  const TensorSpec part{
      .name = "part", .shape = drawn.sizes().vec(), .distribution = uniform(0.0, 1.0)};
  const at::Tensor wide = drawn.to(at::kDouble);
  return wide.add(wide.abs().mul_(draw_floats(part, mix(key), drawn.device())).mul_(0x1p-24));
}

Tensors make_all(const Workload& workload, std::uint64_t seed, c10::Device device) {
  Tensors tensors;
  for (const TensorSpec& spec : workload.tensor_specs()) {
    tensors.set(spec.name, generate(spec, tensor_key(workload.task.name, spec.name, seed), device));
  }
  if (workload.direction == Direction::backward) {
    add_gradients(workload, seed, device, NearKinks::masked, tensors);
  }
  return tensors;
}

}  // namespace

at::Tensor generate(const TensorSpec& spec, std::uint64_t key, c10::Device device) {
  if (!spec.present) return {};
  check_spec(spec);
  const at::ScalarType dtype = dtype_of(spec);
  switch (spec.distribution.kind) {
    case Kind::normal:
    case Kind::uniform: {
      const at::Tensor drawn = draw_floats(spec, key, device);
      return dtype == at::kDouble ? widened(drawn, key) : drawn.to(dtype);
    }
    case Kind::integers:
      return filled<std::int64_t>(spec, key, at::kLong, fill_integers).to(device, dtype);
    case Kind::constant:
      return at::full(spec.shape, spec.distribution.a, at::TensorOptions(dtype).device(device));
    case Kind::zero:
      return at::full(spec.shape, 0, at::TensorOptions(dtype).device(device));
  }
  throw HarnessError("generate: distribution kind " +
                     std::to_string(static_cast<int>(spec.distribution.kind)) + " is unknown");
}

void add_gradients(const Workload& workload, std::uint64_t seed, c10::Device device,
                   NearKinks near_kinks, Tensors& tensors) {
  const c10::AutoGradMode no_grad(false);
  const auto& [task, direction, params] = workload;
  const std::vector<IncomingGradient> gradients = incoming_gradients(task);
  const std::vector<at::Tensor> near_kink = near_kinks == NearKinks::masked
                                                ? call_near_kink(task, params, tensors)
                                                : std::vector<at::Tensor>(gradients.size());
  const bool shapes_are_known =
      std::all_of(near_kink.begin(), near_kink.end(), [](const auto& t) { return t.defined(); });
  std::vector<at::Tensor> outputs;
  if (!shapes_are_known) outputs = call_forward(task, params, tensors);
  const auto& distribution = contract(task, Direction::backward).grad_output;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const auto& [name, output] = gradients[i];
    const at::Tensor& like = near_kink[i].defined() ? near_kink[i] : outputs[output];
    TensorSpec spec{.name = name,
                    .shape = like.sizes().vec(),
                    .dtype = task.forward_contract.outputs[output].dtype};
    if (distribution) spec.distribution = distribution(params);
    const at::Tensor gradient = generate(spec, tensor_key(task.name, name, seed), device);
    if (near_kink[i].defined()) gradient.masked_fill_(near_kink[i], 0.0);
    tensors.set(name, gradient);
  }
}

Tensors make_tensors(const Workload& workload, std::uint64_t seed, c10::Device device) {
  if (!device.is_cuda()) return make_all(workload, seed, device);
  load_torch_cuda();
  return with_gpu_memory([&] { return make_all(workload, seed, device); });
}

}  // namespace robust_kbench
