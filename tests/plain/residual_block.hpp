#pragma once

#include <cmath>

#include "convolution.hpp"

// The residual block of ResNet in plain loops.

using Optional = c10::optional<torch::Tensor>;

struct BatchNorm {
  torch::Tensor weight, bias, mean, variance;
  double eps;
};

inline void normalize(torch::Tensor& y, const BatchNorm& norm) {
  const float* mean = norm.mean.data_ptr<float>();
  const float* bias = norm.bias.data_ptr<float>();
  std::vector<float> scales;
  for (int64_t i = 0; i < norm.mean.numel(); ++i) {
    const double variance = norm.variance.data_ptr<float>()[i];
    scales.push_back(
        static_cast<float>(norm.weight.data_ptr<float>()[i] / std::sqrt(variance + norm.eps)));
  }
  for_channels(y, [&](float value, int64_t channel) {
    return (value - mean[channel]) * scales[channel] + bias[channel];
  });
}

inline void relu(torch::Tensor& y) {
  for_channels(y, [](float value, int64_t) { return value > 0 ? value : 0.0f; });
}

struct Block {
  torch::Tensor x, conv1, conv2;
  Optional shortcut;  // its filter, none where x itself is added
  Optional bias1, bias2, shortcut_bias;
  BatchNorm norm1, norm2, shortcut_norm;
  int64_t stride;
};

// convolved(x, filter, stride, padding) and normalized(y, norm) do what their names say.
template <class Convolved, class Normalized>
torch::Tensor residual_block(const Block& block, const Convolved& convolved,
                             const Normalized& normalized) {
  const auto add_bias = [](torch::Tensor& to, const Optional& bias) {
    if (bias) add_channel_biases(to, *bias);
  };
  torch::Tensor y = convolved(block.x, block.conv1, block.stride, 1);
  add_bias(y, block.bias1);
  normalized(y, block.norm1);
  relu(y);
  y = convolved(y, block.conv2, 1, 1);
  add_bias(y, block.bias2);
  normalized(y, block.norm2);
  torch::Tensor identity = block.x;
  if (block.shortcut) {
    identity = convolved(block.x, *block.shortcut, block.stride, 0);
    add_bias(identity, block.shortcut_bias);
    normalized(identity, block.shortcut_norm);
  }
  float* to = y.data_ptr<float>();
  const float* from = identity.data_ptr<float>();
  for (int64_t i = 0; i < y.numel(); ++i) to[i] += from[i];
  relu(y);
  return y;
}

inline torch::Tensor convolved(const torch::Tensor& x, const torch::Tensor& filter, int64_t stride,
                               int64_t padding) {
  return convolve(convolution_of(x, filter, stride, padding), x, filter);
}

// The task's forward, by compute(block).
template <torch::Tensor (*compute)(const Block&)>
torch::Tensor residual_forward(torch::Tensor x, torch::Tensor conv1_weight, Optional conv1_bias,
                               torch::Tensor bn1_weight, torch::Tensor bn1_bias,
                               torch::Tensor bn1_mean, torch::Tensor bn1_var,
                               torch::Tensor conv2_weight, Optional conv2_bias,
                               torch::Tensor bn2_weight, torch::Tensor bn2_bias,
                               torch::Tensor bn2_mean, torch::Tensor bn2_var,
                               Optional downsample_weight, Optional downsample_bias,
                               Optional downsample_bn_weight, Optional downsample_bn_bias,
                               Optional downsample_bn_mean, Optional downsample_bn_var,
                               int64_t stride, double eps) {
  Block block{x,
              conv1_weight,
              conv2_weight,
              downsample_weight,
              conv1_bias,
              conv2_bias,
              downsample_bias,
              {bn1_weight, bn1_bias, bn1_mean, bn1_var, eps},
              {bn2_weight, bn2_bias, bn2_mean, bn2_var, eps},
              {},
              stride};
  if (downsample_weight) {
    block.shortcut_norm = {*downsample_bn_weight, *downsample_bn_bias, *downsample_bn_mean,
                           *downsample_bn_var, eps};
  }
  return compute(block);
}
