#pragma once

#include <torch/extension.h>

// Convolutions in plain loops: each element adds one float32 term after another.

struct Convolution {
  int64_t batch, in, height, width, out, kernel, stride, padding;

  int64_t out_height() const { return (height + 2 * padding - kernel) / stride + 1; }
  int64_t out_width() const { return (width + 2 * padding - kernel) / stride + 1; }
};

inline Convolution convolution_of(const torch::Tensor& x, const torch::Tensor& w, int64_t stride,
                                  int64_t padding) {
  return {x.size(0), x.size(1), x.size(2), x.size(3), w.size(0), w.size(2), stride, padding};
}

// x (batch, in, height, width) with zeros around each plane.
inline torch::Tensor padded(const Convolution& c, const torch::Tensor& x) {
  const int64_t height = c.height + 2 * c.padding;
  const int64_t width = c.width + 2 * c.padding;
  torch::Tensor result = torch::zeros({c.batch, c.in, height, width}, x.options());
  const float* from = x.data_ptr<float>();
  for (int64_t plane = 0; plane < c.batch * c.in; ++plane) {
    float* to = result.data_ptr<float>() + plane * height * width;
    for (int64_t row = 0; row < c.height; ++row) {
      for (int64_t column = 0; column < c.width; ++column) {
        to[(row + c.padding) * width + column + c.padding] = *from++;
      }
    }
  }
  return result;
}

// y (rows, columns) += weight * x at steps of `stride`, from the filter's place on.
inline void add_scaled(const Convolution& c, const float* x, float weight, float* y) {
  const int64_t width = c.width + 2 * c.padding;
  const int64_t columns = c.out_width();
  for (int64_t row = 0; row < c.out_height(); ++row) {
    const float* from = x + row * c.stride * width;
    for (int64_t j = 0; j < columns; ++j) y[row * columns + j] += weight * from[j * c.stride];
  }
}

// (batch, out, rows, columns) without a bias.
inline torch::Tensor convolve(const Convolution& c, const torch::Tensor& x,
                              const torch::Tensor& w) {
  const torch::Tensor planes = padded(c, x);
  const int64_t width = c.width + 2 * c.padding;
  const int64_t plane = (c.height + 2 * c.padding) * width;
  const int64_t size = c.out_height() * c.out_width();
  torch::Tensor y = torch::zeros({c.batch, c.out, c.out_height(), c.out_width()}, x.options());
  for (int64_t image = 0; image < c.batch; ++image) {
    for (int64_t o = 0; o < c.out; ++o) {
      const float* weight = w.data_ptr<float>() + o * c.in * c.kernel * c.kernel;
      float* to = y.data_ptr<float>() + (image * c.out + o) * size;
      for (int64_t i = 0; i < c.in; ++i) {
        const float* from = planes.data_ptr<float>() + (image * c.in + i) * plane;
        for (int64_t at = 0; at < c.kernel * c.kernel; ++at) {
          add_scaled(c, from + at / c.kernel * width + at % c.kernel, *weight++, to);
        }
      }
    }
  }
  return y;
}

// y (batch, channels, ...) where `function` is told each element and its channel.
template <class Function>
void for_channels(torch::Tensor& y, const Function& function) {
  const int64_t plane = y.size(2) * y.size(3);
  float* to = y.data_ptr<float>();
  for (int64_t i = 0; i < y.numel(); ++i) to[i] = function(to[i], i / plane % y.size(1));
}

inline void add_channel_biases(torch::Tensor& y, const torch::Tensor& biases) {
  const float* bias = biases.data_ptr<float>();
  for_channels(y, [=](float value, int64_t channel) { return value + bias[channel]; });
}
