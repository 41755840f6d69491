#include <algorithm>
#include <vector>

#include "tensor/probe.hpp"
#include "tensor/probe_content.hpp"

#include <ATen/ops/full_like.h>

namespace robust_kbench {
namespace {

using Kind = Distribution::Kind;

// Whether the distribution gives every element the same value.
bool is_constant(const Distribution& d) {
  return d.kind == Kind::constant || d.kind == Kind::zero || (d.kind == Kind::normal && d.b == 0.0);
}

// Whether signs of the weight are part of its meaning, as those of a variance.
bool stays_positive(const Distribution& d) {
  return is_constant(d) || (d.kind == Kind::uniform && d.a >= 0.0);
}

double centre_of(const Distribution& d) {
  if (d.kind == Kind::uniform) return 0.5 * (d.a + d.b);
  return d.kind == Kind::zero ? 0.0 : d.a;
}

// The value in an untrained layer: the distribution's centre under the task's default parameters.
double untrained(const TensorSpec& spec, const Task& task) {
  const std::vector<TensorSpec> defaults = task.weights(task.defaults);
  const auto same = std::find_if(defaults.begin(), defaults.end(),
                                 [&](const TensorSpec& other) { return other.name == spec.name; });
  return centre_of(same == defaults.end() ? spec.distribution : same->distribution);
}

// Draws weights as the task does. Constant ones become numbers between their constant and the next
// integer, so that positive ones stay positive.
at::Tensor general(const TensorSpec& spec, const ProbeSource& source) {
  if (!is_constant(spec.distribution)) return source.typical(spec);
  return source.uniform_numbers(spec, "general", spec.shape, 0.25, 0.75)
      .add_(centre_of(spec.distribution));
}

// For an odd seed the first three quarters are constant. For an even seed only one element, in the
// second half, differs.
at::Tensor constant_at_first(const TensorSpec& spec, const ProbeSource& source) {
  const at::Tensor drawn = general(spec, source);
  const at::Tensor weights = at::full_like(drawn, untrained(spec, source.task));
  const std::int64_t count = drawn.numel();
  const double share = source.uniform_numbers(spec, "place", {1}, 0.5, 1.0).item<double>();
  const std::int64_t first =
      source.enlarges()
          ? count * 3 / 4
          : std::min(count - 1, static_cast<std::int64_t>(share * static_cast<double>(count)));
  const std::int64_t last = source.enlarges() ? count : first + 1;
  weights.view({-1})
      .narrow(0, first, last - first)
      .copy_(drawn.view({-1}).narrow(0, first, last - first));
  return weights;
}

// Integers from -2 to 2 without 0. Sums of their products with small integers are exact. Weights
// that are positive by their distribution, a variance say, stay as the task draws them.
at::Tensor integers(const TensorSpec& spec, const ProbeSource& source) {
  if (stays_positive(spec.distribution)) return source.typical(spec);
  const at::Tensor drawn = small_integers(source, spec, "integers", spec.shape, 2);
  return drawn.masked_fill(drawn.eq(0), 1.0);
}

}  // namespace

bool has_constant_weights(const Workload& workload) {
  const std::vector<TensorSpec> weights = workload.weight_specs();
  return std::any_of(weights.begin(), weights.end(), [](const TensorSpec& spec) {
    return spec.present && is_constant(spec.distribution);
  });
}

at::Tensor probed_weight(const TensorSpec& spec, const ProbeSource& source) {
  const at::Tensor typical = source.typical(spec);
  if (!typical.is_floating_point()) return typical;
  switch (source.probe) {
    case Probe::permuted:
      return permuted_elements(source, spec);
    case Probe::near_ties:
      if (source.enlarges() || stays_positive(spec.distribution)) return typical;
      return cancelling(source, spec).to(typical.scalar_type());
    case Probe::weights_scaled:
      return typical.mul(scale_of(source.seed));
    case Probe::general_weights:
      return general(spec, source).to(typical.scalar_type());
    case Probe::late_weights:
      return constant_at_first(spec, source).to(typical.scalar_type());
    case Probe::constant_rows:
    case Probe::ties:
      return integers(spec, source).to(typical.scalar_type());
    default:
      return typical;
  }
}

}  // namespace robust_kbench
