#pragma once

#include <torch/extension.h>

// Products of matrices in plain loops: each element adds one float32 term after another.

// to (m, n) += a (m, k) b (k, n).
inline void add_product(const float* a, const float* b, float* to, int64_t m, int64_t k,
                        int64_t n) {
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t l = 0; l < k; ++l) {
      const float factor = a[i * k + l];
      for (int64_t j = 0; j < n; ++j) to[i * n + j] += factor * b[l * n + j];
    }
  }
}

// (columns, rows) of (rows, columns).
inline torch::Tensor transposed(const float* from, int64_t rows, int64_t columns,
                                const torch::Tensor& like) {
  torch::Tensor result = torch::empty({columns, rows}, like.options());
  float* to = result.data_ptr<float>();
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) to[j * rows + i] = from[i * columns + j];
  }
  return result;
}

// Rows of x (..., k) times w (n, k) transposed: (..., n), without a bias.
inline torch::Tensor times_transposed(const torch::Tensor& x, const torch::Tensor& w) {
  const int64_t n = w.size(0);
  const int64_t k = w.size(1);
  std::vector<int64_t> shape = x.sizes().vec();
  shape.back() = n;
  torch::Tensor y = torch::zeros(shape, x.options());
  const torch::Tensor columns = transposed(w.data_ptr<float>(), n, k, w);
  add_product(x.data_ptr<float>(), columns.data_ptr<float>(), y.data_ptr<float>(), x.numel() / k, k,
              n);
  return y;
}
