#pragma once

// 2 x 2 windows of max pooling.
namespace kernels {

// Where b takes the place of a, the greatest so far, as torch has it: the first of equals wins, or
// the last NaN. fmaxf() would drop a NaN.
__device__ inline bool beats(float b, float a) {
  return b > a || b != b;
}

__device__ inline float greater(float a, float b) {
  return beats(b, a) ? b : a;
}

}  // namespace kernels
