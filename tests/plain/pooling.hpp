#pragma once

#include <torch/extension.h>

// Max pooling over 2 x 2 windows, right but for the rule that a kernel gives.

struct Window {
  float values[4];  // above left, above right, below left, below right
};

// visit(window, places) for each window of the planes x (..., height, width), in order. `places`
// are the elements of the window in x.
template <class Visit>
void for_windows(const torch::Tensor& x, const Visit& visit) {
  const int64_t height = x.size(2);
  const int64_t width = x.size(3);
  const float* from = x.data_ptr<float>();
  for (int64_t plane = 0; plane < x.size(0) * x.size(1); ++plane) {
    for (int64_t row = 0; row + 1 < height; row += 2) {
      for (int64_t column = 0; column + 1 < width; column += 2) {
        const int64_t first = (plane * height + row) * width + column;
        const int64_t places[4] = {first, first + 1, first + width, first + width + 1};
        visit(Window{{from[places[0]], from[places[1]], from[places[2]], from[places[3]]}}, places);
      }
    }
  }
}

// The first of the greatest, or the last NaN, as torch chooses.
inline int greatest_in(const Window& window) {
  int greatest = 0;
  for (int i = 1; i < 4; ++i) {
    const float value = window.values[i];
    if (value > window.values[greatest] || value != value) greatest = i;
  }
  return greatest;
}

// maximum_of(window) gives the value that is kept.
template <class MaximumOf>
torch::Tensor pool(const torch::Tensor& x, const MaximumOf& maximum_of) {
  torch::Tensor y = torch::empty({x.size(0), x.size(1), x.size(2) / 2, x.size(3) / 2}, x.options());
  float* to = y.data_ptr<float>();
  for_windows(x, [&](const Window& window, const int64_t*) { *to++ = maximum_of(window); });
  return y;
}

// distribute(window, gradient, shares) writes what each element of a window is given.
template <class Distribute>
torch::Tensor pool_backward(const torch::Tensor& x, const torch::Tensor& dy,
                            const Distribute& distribute) {
  torch::Tensor dx = torch::zeros_like(x);
  const float* gradient = dy.data_ptr<float>();
  for_windows(x, [&](const Window& window, const int64_t* places) {
    float shares[4] = {};
    distribute(window, *gradient++, shares);
    for (int i = 0; i < 4; ++i) dx.data_ptr<float>()[places[i]] = shares[i];
  });
  return dx;
}
