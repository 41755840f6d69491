#pragma once

#include <cstdint>

// One row of y = x W^T + b.
void write_row(const float* x, const float* weights, const float* biases, float* y, int64_t in,
               int64_t out);
