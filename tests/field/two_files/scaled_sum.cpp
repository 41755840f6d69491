#include "scaled_sum.hpp"

float scaled_sum(const float* a, const float* b, long count) {
  double sum = 0;
  for (long i = 0; i < count; ++i) sum += static_cast<double>(a[i]) * b[i];
  return static_cast<float>(sum);
}
