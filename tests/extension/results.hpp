#pragma once

#include <torch/extension.h>

// A kernel's host side may do all of this with tensors. Torch and the shim have to agree on the
// results' values, shapes, strides and element types.
inline std::vector<torch::Tensor> results_of(const torch::Tensor& x, const torch::Tensor& weights,
                                             const torch::Tensor& biases,
                                             const torch::Tensor& products, double scale) {
  torch::Tensor sums = products + biases;
  sums.mul_(scale);
  torch::Tensor filled = torch::empty({2, 3}, x.options().dtype(torch::kFloat64));
  filled.fill_(2.5);
  return {products,
          sums,
          sums - products * scale,
          x.t(),
          x.t().contiguous(),
          x.t().clone(),
          torch::empty_like(x.t()).zero_(),
          x.to(torch::kFloat64),
          x.to(torch::kHalf),
          x.to(torch::kBFloat16).to(torch::kFloat),
          (x * 8).to(torch::kInt64),
          x > 0,
          weights.narrow(0, 1, 2),
          weights.select(1, 0),
          products.view({-1}),
          products.unsqueeze(1),
          products.reshape({products.size(1), -1}),
          biases.expand({2, biases.size(0)}),
          torch::zeros({2, 2}, x.options().dtype(torch::kLong)),
          torch::full_like(biases, 1.5),
          torch::arange(5, x.options()),
          filled,
          torch::relu(sums)};
}
