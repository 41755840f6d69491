#pragma once

#include "product.hpp"

// Linear layers in plain loops, forward and backward.

inline void add_biases(torch::Tensor& y, const torch::Tensor& biases) {
  const int64_t out = biases.numel();
  const float* bias = biases.data_ptr<float>();
  float* to = y.data_ptr<float>();
  for (int64_t i = 0; i < y.numel(); ++i) to[i] += bias[i % out];
}

// x W^T + b.
inline torch::Tensor linear(const torch::Tensor& x, const torch::Tensor& weights,
                            const torch::Tensor& biases) {
  torch::Tensor y = times_transposed(x, weights);
  add_biases(y, biases);
  return y;
}

// The sums of the columns of dy (batch, out).
inline torch::Tensor column_sums(const torch::Tensor& dy) {
  const int64_t out = dy.size(1);
  torch::Tensor sums = torch::zeros({out}, dy.options());
  float* to = sums.data_ptr<float>();
  for (int64_t i = 0; i < dy.size(0); ++i) {
    const float* row = dy.data_ptr<float>() + i * out;
    for (int64_t o = 0; o < out; ++o) to[o] += row[o];
  }
  return sums;
}

// The gradients of x, the weights and the biases.
inline std::vector<torch::Tensor> linear_backward(const torch::Tensor& dy, const torch::Tensor& x,
                                                  const torch::Tensor& weights) {
  const int64_t batch = x.size(0);
  const int64_t in = x.size(1);
  const int64_t out = weights.size(0);
  torch::Tensor dx = torch::zeros({batch, in}, x.options());
  torch::Tensor dw = torch::zeros({out, in}, x.options());
  const float* gradient = dy.data_ptr<float>();
  add_product(gradient, weights.data_ptr<float>(), dx.data_ptr<float>(), batch, out, in);
  const torch::Tensor columns = transposed(gradient, batch, out, dy);
  add_product(columns.data_ptr<float>(), x.data_ptr<float>(), dw.data_ptr<float>(), out, batch, in);
  return {dx, dw, column_sums(dy)};
}

// dy where the ReLU lets it through, else 0. `lets_through` is told the layer's output before it.
template <class LetsThrough>
torch::Tensor masked(const torch::Tensor& dy, const torch::Tensor& y,
                     const LetsThrough& lets_through) {
  torch::Tensor result = torch::empty_like(dy);
  const float* from = dy.data_ptr<float>();
  const float* decides = y.data_ptr<float>();
  float* to = result.data_ptr<float>();
  for (int64_t i = 0; i < dy.numel(); ++i) to[i] = lets_through(decides[i]) ? from[i] : 0.0f;
  return result;
}
