#include "rows.hpp"

void write_row(const float* x, const float* weights, const float* biases, float* y, int64_t in,
               int64_t out) {
  for (int64_t column = 0; column < out; ++column) {
    double sum = biases[column];
    for (int64_t k = 0; k < in; ++k) sum += double{x[k]} * weights[column * in + k];
    y[column] = static_cast<float>(sum);
  }
}
