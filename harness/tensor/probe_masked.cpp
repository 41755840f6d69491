#include <algorithm>
#include <limits>

#include "tensor/probe_content.hpp"

#include <ATen/ops/where.h>

namespace robust_kbench {
namespace {

constexpr double masked_share = 0.25;
constexpr double usual_mask = -1e9;

double lowest(at::ScalarType dtype) {
  if (dtype == at::kHalf) return -65504.0;
  if (dtype == at::kBFloat16) return -0x1.FEp127;
  return dtype == at::kDouble ? std::numeric_limits<double>::lowest()
                              : static_cast<double>(std::numeric_limits<float>::lowest());
}

// One index along each dimension is never masked, so that every row keeps an element.
void keep_some(const ProbeSource& source, const TensorSpec& spec, const at::Tensor& masked) {
  const at::Tensor shares =
      source.uniform_numbers(spec, "kept", {masked.dim()}, 0.0, 1.0).to(at::kDouble).cpu();
  for (std::int64_t d = masked.dim() == 1 ? 0 : 1; d < masked.dim(); ++d) {
    const auto count = static_cast<double>(masked.size(d));
    const auto index = static_cast<std::int64_t>(shares.const_data_ptr<double>()[d] * count);
    masked.select(d, std::min(index, masked.size(d) - 1)).fill_(false);
  }
}

// Whether `labels` has one index of dimension `d` for each place of the other dimensions.
bool are_labels(const at::Tensor& labels, const at::Tensor& of, std::int64_t d) {
  std::vector<std::int64_t> others = of.sizes().vec();
  others.erase(others.begin() + d);
  return labels.sizes() == at::IntArrayRef(others) && labels.numel() > 0 &&
         labels.min().item<std::int64_t>() >= 0 && labels.max().item<std::int64_t>() < of.size(d);
}

void keep_labels(const Tensors& tensors, const at::Tensor& masked) {
  for (const auto& [name, labels] : tensors.all()) {
    if (!labels.defined() || !c10::isIntegralType(labels.scalar_type(), /*includeBool=*/false)) {
      continue;
    }
    for (std::int64_t d = 0; d < masked.dim(); ++d) {
      if (are_labels(labels, masked, d)) masked.scatter_(d, labels.to(at::kLong).unsqueeze(d), 0);
    }
  }
}

}  // namespace

void mask_inputs(const ProbeSource& source, const std::vector<TensorSpec>& specs,
                 const Tensors& tensors) {
  for (const TensorSpec& spec : specs) {
    if (!spec.present || spec.then) continue;
    const at::Tensor& input = tensors[spec.name];
    if (!input.is_floating_point() || input.dim() == 0) continue;
    const at::Tensor number = source.uniform_numbers(spec, "masked", spec.shape, 0.0, 1.0);
    const at::Tensor masked = number.lt(masked_share);
    keep_some(source, spec, masked);
    keep_labels(tensors, masked);
    const double least = lowest(input.scalar_type());
    input.masked_fill_(masked, std::max(usual_mask, least));
    input.masked_fill_(masked.logical_and(number.lt(masked_share / 2)), least);
  }
}

}  // namespace robust_kbench
