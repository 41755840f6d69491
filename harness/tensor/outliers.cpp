#include "tensor/outliers.hpp"

#include <algorithm>

#include <ATen/ops/full.h>

namespace robust_kbench {
namespace {

constexpr std::int64_t least_elements = 4;

// Beyond the greatest number of float16, so that no kernel may keep it in that. Tensors in float16
// have a smaller one.
double outlier_of(const at::Tensor& tensor) {
  return tensor.scalar_type() == at::kHalf ? 1e4 : 1e5;
}

at::Tensor is_outlier(const at::Tensor& tensor) {
  // In 16 bits it is rounded.
  return tensor.abs().eq(at::full({}, outlier_of(tensor), tensor.options()));
}

bool is_positive(const Distribution& d) {
  return d.kind == Distribution::Kind::uniform && d.a >= 0.0;
}

}  // namespace

at::Tensor with_outliers(const at::Tensor& typical, const TensorSpec& spec,
                         const ProbeSource& source) {
  const std::int64_t count = typical.numel();
  if (count < least_elements) return typical;
  const at::Tensor drawn =
      source.uniform_numbers(spec, "outliers", {2}, 0.0, 1.0).to(at::kDouble).cpu();
  const auto place = [&](std::int64_t i) {
    const double share = drawn.const_data_ptr<double>()[i];
    return std::min(count - 1, static_cast<std::int64_t>(share * static_cast<double>(count)));
  };
  const at::Tensor elements = typical.clone().view({-1});
  const auto put = [&](std::int64_t at, double value) {
    const at::Tensor element = elements.narrow(0, at, 1);
    element.masked_fill_(element.ne(0), value);
  };
  const double outlier = outlier_of(typical);
  const bool ends = source.seed == 1;
  put(ends ? count - 1 : place(1), is_positive(spec.distribution) ? outlier : -outlier);
  put(ends ? 0 : place(0), outlier);
  return elements.view(typical.sizes());
}

Tensors without_outliers(const Tensors& tensors) {
  Tensors usual;
  for (const auto& [name, tensor] : tensors.all()) {
    if (!tensor.defined() || !tensor.is_floating_point()) {
      usual.set(name, tensor);
      continue;
    }
    const at::Tensor outliers = is_outlier(tensor);
    const at::Tensor negative = outliers.logical_and(tensor.lt(0));
    usual.set(name, tensor.masked_fill(outliers, 0.0).masked_fill(negative, 1.0));
  }
  return usual;
}

}  // namespace robust_kbench
