#pragma once

#include <cstdint>

inline double dot(const float* a, const float* b, int64_t size) {
  double sum = 0;
  for (int64_t i = 0; i < size; ++i) sum += double{a[i]} * b[i];
  return sum;
}
