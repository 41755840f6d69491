#pragma once

#include <cstdint>
#include <limits>

#include "tensor/squared_errors.hpp"

namespace robust_kbench {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

// The differences between an output and its reference.
struct Differences {
  // The greatest of |actual - expected| - rtol * |expected|. It is infinite if NaN or an infinity
  // is not where the reference has it.
  double beyond = 0;
  // These three count only elements that are finite in both tensors.
  double max_abs = 0;
  double max_rel = 0;
  SquaredErrors squares;
};

// Compares arrays of `count` elements in the host's memory.
Differences differences(const float* actual, const double* expected, std::int64_t count,
                        double rtol);
Differences differences(const double* actual, const double* expected, std::int64_t count,
                        double rtol);
Differences differences(const std::int64_t* actual, const std::int64_t* expected,
                        std::int64_t count, double rtol);

}  // namespace robust_kbench
