#pragma once

#include <cmath>

#include <torch/extension.h>

// Layer and root-mean-square normalization, right but for what a kernel gives. Rows are reduced in
// float64.

struct Moments {
  float mean;
  float scale;  // 1 / sqrt(variance + eps)
};

inline double mean_of(const float* row, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += row[i];
  return sum / count;
}

inline double mean_square_of(const float* row, int64_t count, double around = 0) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += (row[i] - around) * (row[i] - around);
  return sum / count;
}

// moments_of(row, count) gives Moments.
template <class MomentsOf>
torch::Tensor layer_norm(const torch::Tensor& x, const torch::Tensor& weight,
                         const torch::Tensor& bias, const MomentsOf& moments_of) {
  const int64_t count = weight.numel();
  torch::Tensor y = torch::empty_like(x);
  const float* w = weight.data_ptr<float>();
  const float* b = bias.data_ptr<float>();
  for (int64_t row = 0; row < x.numel() / count; ++row) {
    const float* from = x.data_ptr<float>() + row * count;
    float* to = y.data_ptr<float>() + row * count;
    const Moments moments = moments_of(from, count);
    for (int64_t i = 0; i < count; ++i) {
      to[i] = (from[i] - moments.mean) * moments.scale * w[i] + b[i];
    }
  }
  return y;
}

// The gradients of x, weight and bias.
template <class MomentsOf>
std::vector<torch::Tensor> layer_norm_backward(const torch::Tensor& dy, const torch::Tensor& x,
                                               const torch::Tensor& weight,
                                               const MomentsOf& moments_of) {
  const int64_t count = weight.numel();
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dw = torch::zeros_like(weight);
  torch::Tensor db = torch::zeros_like(weight);
  const float* w = weight.data_ptr<float>();
  for (int64_t row = 0; row < x.numel() / count; ++row) {
    const float* from = x.data_ptr<float>() + row * count;
    const float* g = dy.data_ptr<float>() + row * count;
    const Moments moments = moments_of(from, count);
    double sum = 0;
    double products = 0;
    for (int64_t i = 0; i < count; ++i) {
      const float normal = (from[i] - moments.mean) * moments.scale;
      sum += double{g[i]} * w[i];
      products += double{g[i]} * w[i] * normal;
      dw.data_ptr<float>()[i] += g[i] * normal;
      db.data_ptr<float>()[i] += g[i];
    }
    for (int64_t i = 0; i < count; ++i) {
      const float normal = (from[i] - moments.mean) * moments.scale;
      const double centred = double{g[i]} * w[i] - sum / count - normal * (products / count);
      dx.data_ptr<float>()[row * count + i] = static_cast<float>(centred * moments.scale);
    }
  }
  return {dx, dw, db};
}

// scale_of(row, count) gives 1 / sqrt(mean square + eps).
template <class ScaleOf>
torch::Tensor rms_norm(const torch::Tensor& x, const torch::Tensor& w, const ScaleOf& scale_of) {
  const int64_t count = w.numel();
  torch::Tensor y = torch::empty_like(x);
  const float* weight = w.data_ptr<float>();
  for (int64_t row = 0; row < x.numel() / count; ++row) {
    const float* from = x.data_ptr<float>() + row * count;
    float* to = y.data_ptr<float>() + row * count;
    const float scale = scale_of(from, count);
    for (int64_t i = 0; i < count; ++i) to[i] = from[i] * scale * weight[i];
  }
  return y;
}

// The gradients of x and w.
template <class ScaleOf>
std::vector<torch::Tensor> rms_norm_backward(const torch::Tensor& dy, const torch::Tensor& x,
                                             const torch::Tensor& w, const ScaleOf& scale_of) {
  const int64_t count = w.numel();
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dw = torch::zeros_like(w);
  const float* weight = w.data_ptr<float>();
  for (int64_t row = 0; row < x.numel() / count; ++row) {
    const float* from = x.data_ptr<float>() + row * count;
    const float* g = dy.data_ptr<float>() + row * count;
    const float scale = scale_of(from, count);
    double products = 0;
    for (int64_t i = 0; i < count; ++i) {
      products += double{g[i]} * weight[i] * from[i] * scale;
      dw.data_ptr<float>()[i] += g[i] * from[i] * scale;
    }
    for (int64_t i = 0; i < count; ++i) {
      const double turned = double{g[i]} * weight[i] - from[i] * scale * (products / count);
      dx.data_ptr<float>()[row * count + i] = static_cast<float>(turned * scale);
    }
  }
  return {dx, dw};
}
