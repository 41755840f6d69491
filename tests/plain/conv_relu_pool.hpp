#pragma once

#include "convolution.hpp"
#include "pooling.hpp"

// Convolution, ReLU and 2 x 2 max pooling in plain loops.

inline torch::Tensor with_biases(const Convolution& c, const torch::Tensor& x,
                                 const torch::Tensor& weights, const torch::Tensor& biases) {
  torch::Tensor y = convolve(c, x, weights);
  add_channel_biases(y, biases);
  return y;
}

// Adds an element's gradient to those of the image and of the filter that it is computed from.
inline void add_gradients(const Convolution& c, float gradient, const float* x, const float* w,
                          float* dx, float* dw) {
  for (int64_t i = 0; i < c.in; ++i) {
    for (int64_t row = 0; row < c.kernel; ++row) {
      const int64_t place = (i * c.height + row) * c.width;
      const int64_t weight = (i * c.kernel + row) * c.kernel;
      for (int64_t j = 0; j < c.kernel; ++j) {
        dx[place + j] += gradient * w[weight + j];
        dw[weight + j] += gradient * x[place + j];
      }
    }
  }
}

// The gradients of x, weights and biases. choose(window) gives the element of a window of the
// convolution that has the gradient, or -1 where none has. What many windows share is added up for
// each image first.
template <class Choose>
std::vector<torch::Tensor> conv_relu_pool_backward(const torch::Tensor& x,
                                                   const torch::Tensor& weights,
                                                   const torch::Tensor& biases,
                                                   const torch::Tensor& dy, const Choose& choose) {
  const Convolution c = convolution_of(x, weights, 1, 0);
  const torch::Tensor y = with_biases(c, x, weights, biases);
  torch::Tensor dx = torch::zeros_like(x);
  torch::Tensor dw = torch::zeros_like(weights);
  torch::Tensor db = torch::zeros_like(biases);
  const int64_t image = c.in * c.height * c.width;
  const int64_t filter = c.in * c.kernel * c.kernel;
  const int64_t windows = dy.size(2) * dy.size(3);
  const float* gradient = dy.data_ptr<float>();
  std::vector<float> of_filter(filter);
  float of_bias = 0;
  int64_t seen = 0;
  for_windows(y, [&](const Window& window, const int64_t* places) {
    const int64_t plane = seen / windows;
    const int64_t o = plane % c.out;
    const float g = *gradient++;
    const int chosen = choose(window);
    if (chosen >= 0) {
      const int64_t column = places[chosen] % c.out_width();
      const int64_t row = places[chosen] / c.out_width() % c.out_height();
      const int64_t at = plane / c.out * image + row * c.width + column;
      add_gradients(c, g, x.data_ptr<float>() + at, weights.data_ptr<float>() + o * filter,
                    dx.data_ptr<float>() + at, of_filter.data());
      of_bias += g;
    }
    if (++seen % windows != 0) return;
    for (int64_t i = 0; i < filter; ++i) {
      dw.data_ptr<float>()[o * filter + i] += of_filter[i];
      of_filter[i] = 0;
    }
    db.data_ptr<float>()[o] += of_bias;
    of_bias = 0;
  });
  return {dx, dw, db};
}
