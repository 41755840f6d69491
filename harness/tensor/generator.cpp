#include "tensor/generator.hpp"

#include <functional>
#include <numeric>

#include "core/error.hpp"
#include "core/seed.hpp"
#include "tensor/fill.hpp"
#include "tensor/fill_on_device.hpp"
#include "tensor/gradients.hpp"
#include "tensor/parallel.hpp"
#include "tensor/spec_check.hpp"
#include "tensor/tensor_spec.hpp"
#include "tensor/torch_cuda.hpp"
#include "tensor/workload.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <fmt/format.h>

namespace robust_kbench {
namespace {

using Kind = Distribution::Kind;

// The least work for a thread: less is done before a second thread has started.
constexpr std::int64_t elements_per_thread = std::int64_t{1} << 20;

std::int64_t element_count(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

bool draws_floats(const Distribution& distribution) {
  return distribution.kind == Kind::normal || distribution.kind == Kind::uniform;
}

// Fills a CPU tensor by `fill`, with a part for each thread.
template <typename Element, typename Fill>
void fill_parts(const Distribution& distribution, std::uint64_t key, const at::Tensor& out,
                Fill* fill) {
  auto* elements = out.mutable_data_ptr<Element>();
  in_parallel(out.numel(), elements_per_thread, [&](std::int64_t begin, std::int64_t end) {
    fill(distribution, key, elements + begin, begin, end - begin);
  });
}

// Fills a float32 CPU tensor with numbers of a normal or uniform distribution.
void fill_floats(const Distribution& distribution, std::uint64_t key, const at::Tensor& out) {
  fill_parts<float>(distribution, key, out,
                    distribution.kind == Kind::normal ? fill_normal : fill_uniform);
}

// Draws the same numbers into a new tensor on any device.
at::Tensor draw_floats(const TensorSpec& spec, std::uint64_t key, c10::Device device) {
  if (!device.is_cpu()) {
    return fill_on_device(spec.distribution, key, element_count(spec.shape), device)
        .view(spec.shape);
  }
  at::Tensor drawn = at::empty(spec.shape, at::kFloat);
  fill_floats(spec.distribution, key, drawn);
  return drawn;
}

at::Tensor draw_integers(const TensorSpec& spec, std::uint64_t key) {
  at::Tensor drawn = at::empty(spec.shape, at::kLong);
  fill_parts<std::int64_t>(spec.distribution, key, drawn, fill_integers);
  return drawn;
}

// Extends float32 numbers by the further bits of float64. Each moves up by a random part of its
// last place, so none leaves the limits of its distribution.
at::Tensor widened_draw(const at::Tensor& drawn, std::uint64_t key) {
  const TensorSpec part{
      .name = "part", .shape = drawn.sizes().vec(), .distribution = uniform(0.0, 1.0)};
  const at::Tensor wide = drawn.to(at::kDouble);
  return wide.add(wide.abs()
                      .mul_(draw_floats(part, derived_key(key, "further bits"), drawn.device()))
                      .mul_(0x1p-24));
}

// Applies the spec's `then` to drawn numbers. Throws UserError if the result does not match the
// spec.
at::Tensor made_of(const TensorSpec& spec, const at::Tensor& drawn) {
  at::Tensor made = spec.then(drawn);
  if (made.sizes() == at::IntArrayRef(spec.shape) && made.scalar_type() == dtype_of(spec)) {
    return made.contiguous();
  }
  throw UserError(fmt::format("tensor '{}': its `then` makes {} of {} elements instead of {} of {}",
                              spec.name, dtype_name(made.scalar_type()), made.numel(),
                              dtype_name(dtype_of(spec)), drawn.numel()));
}

Tensors make_all(const Workload& workload, std::uint64_t seed, c10::Device device,
                 Constants constants, NearKinks near_kinks) {
  Tensors tensors;
  for (const TensorSpec& spec : workload.tensor_specs()) {
    tensors.set(spec.name, generate(constants == Constants::varied ? varied(spec) : spec,
                                    tensor_key(workload.task.name, spec.name, seed), device));
  }
  if (workload.direction == Direction::backward) {
    add_gradients(workload, seed, device, near_kinks, tensors);
  }
  return tensors;
}

}  // namespace

at::Tensor generate(const TensorSpec& spec, std::uint64_t key, c10::Device device) {
  if (!spec.present) return {};
  check_spec(spec);
  if (spec.then) return made_of(spec, generate(drawn_part(spec), key, device));
  const at::ScalarType dtype = dtype_of(spec);
  switch (spec.distribution.kind) {
    case Kind::normal:
    case Kind::uniform: {
      const at::Tensor drawn = draw_floats(spec, key, device);
      return dtype == at::kDouble ? widened_draw(drawn, key) : drawn.to(dtype);
    }
    case Kind::integers:
      return draw_integers(spec, key).to(device, dtype);
    case Kind::constant:
      return at::full(spec.shape, spec.distribution.a, at::TensorOptions(dtype).device(device));
    case Kind::zero:
      return at::full(spec.shape, 0, at::TensorOptions(dtype).device(device));
  }
  throw HarnessError("generate: distribution kind " +
                     std::to_string(static_cast<int>(spec.distribution.kind)) + " is unknown");
}

void generate_into(const TensorSpec& spec, std::uint64_t key, const at::Tensor& out) {
  check_spec(spec);
  const Distribution& distribution = spec.distribution;
  if (spec.then) {
    out.copy_(generate(spec, key, out.device()));
  } else if (out.is_cpu() && out.scalar_type() == at::kFloat && draws_floats(distribution)) {
    fill_floats(distribution, key, out);
  } else if (out.is_cpu() && out.scalar_type() == at::kLong &&
             distribution.kind == Kind::integers) {
    fill_parts<std::int64_t>(distribution, key, out, fill_integers);
  } else {
    out.copy_(generate(spec, key, out.device()));
  }
}

Tensors make_tensors(const Workload& workload, std::uint64_t seed, c10::Device device,
                     Constants constants, NearKinks near_kinks) {
  if (!device.is_cuda()) return make_all(workload, seed, device, constants, near_kinks);
  load_torch_cuda();
  return with_gpu_memory([&] { return make_all(workload, seed, device, constants, near_kinks); });
}

}  // namespace robust_kbench
