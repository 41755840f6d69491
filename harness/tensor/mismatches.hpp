#pragma once

#include <cstdint>

#include "tensor/precision_limits.hpp"

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// The elements of an output that differ from the reference in one way.
struct Mismatch {
  std::int64_t count = 0;
  std::int64_t place = 0;  // flat index of the greatest one, or of the first where all are alike
  double size = -1;        // of the greatest one

  // Adds `more` mismatches, the greatest of which is at `at`. Calls must come in ascending order of
  // places.
  void add(std::int64_t more, std::int64_t at, double greatest);
};

struct Mismatches {
  Mismatch absolute;     // both finite, beyond the limits
  Mismatch relative;     // the absolute ones whose reference is not 0
  Mismatch nan;          // NaN where a number is expected
  Mismatch missing_nan;  // a number where NaN is expected
  Mismatch infinity;     // infinite where it should not be, or of the other sign
  Mismatch missing_infinity;

  [[nodiscard]] std::int64_t count() const;
};

// The mismatches of two contiguous tensors of one shape, found on their own device. So a large
// wrong output costs hardly more than a right one. Both are int64, or the reference is float64 and
// the output float64 or float32.
Mismatches find_mismatches(const at::Tensor& actual, const at::Tensor& expected,
                           const PrecisionLimits& limits);

}  // namespace robust_kbench
