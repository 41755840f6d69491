#include "elementwise.hpp"

#include <cmath>

void softsign(const float* x, float* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) y[i] = x[i] / (SOFTSIGN_ONE + std::fabs(x[i]));
}
