#pragma once

#include <cstdint>
#include <optional>

#include <robust_kbench/task.hpp>

namespace robust_kbench {

// What the root mean square of an output's errors may be (tensor/yardstick.hpp).
struct RmsLimit {
  double most = 0;         // for outputs of the usual size
  double float32 = 0;      // the error of float32, the yardstick's
  double output = 0;       // the usual size, the root mean square of the output
  std::int64_t terms = 1;  // of its longest sum
};

// What the errors of one output are held to.
struct PrecisionLimits {
  double atol = 1e-5;  // |actual - expected| <= atol + rtol * |expected|
  double rtol = 1e-5;
  std::optional<RmsLimit> rms = {};  // none: the output's own tolerance holds

  // These limits, each so many times as wide.
  [[nodiscard]] PrecisionLimits times(double factor) const;
};

// The output's own tolerance, or that of its dtype.
Tolerance tolerance_of(const Output& output);
PrecisionLimits own_limits(const Output& output);

}  // namespace robust_kbench
