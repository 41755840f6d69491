#pragma once

#include <sstream>

#include <torch/extension.h>

// What a stream gets of these, as a tensor of characters.
inline torch::Tensor printed(const torch::Tensor& x) {
  std::ostringstream out;
  out << x.sizes() << x.strides() << torch::IntArrayRef() << x.device() << x.scalar_type();
  out << x.layout() << torch::kCPU << torch::MemoryFormat::ChannelsLast << torch::Scalar(2.5);
  for (const auto& typed : {x, x.to(torch::kLong), x.to(torch::kHalf), x > 0}) {
    out << typed.options();
  }
  out << torch::TensorOptions().dtype(torch::kFloat64);
  const std::string text = out.str();
  torch::Tensor characters = torch::empty({static_cast<int64_t>(text.size())}, torch::kByte);
  std::copy(text.begin(), text.end(), characters.data_ptr<uint8_t>());
  return characters.to(x.device());
}

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
          torch::relu(sums),
          printed(x)};
}
