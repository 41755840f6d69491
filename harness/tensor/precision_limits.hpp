#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The limit on the root mean square of an output's errors (tensor/yardstick.hpp).
struct RmsLimit {
  double most = 0;         // for outputs of the usual size
  double float32 = 0;      // the error of float32, the yardstick's
  double output = 0;       // the usual size, the root mean square of the output
  std::int64_t terms = 1;  // of its longest sum
};

// The limits on the errors of one output.
struct PrecisionLimits {
  double atol = 1e-5;  // |actual - expected| <= atol + rtol * |expected|
  double rtol = 1e-5;
  std::optional<RmsLimit> rms = {};  // none: the output's own tolerance holds
  // The limits of the output's parts (tensor/output_parts.hpp), in their order. Each part is held
  // to its own besides. Empty: the output is not divided.
  std::vector<PrecisionLimits> parts = {};
  std::string part = {};  // the name of the part that it limits; empty: the whole output

  // The limits without those of parts.
  [[nodiscard]] PrecisionLimits of_whole() const {
    return {.atol = atol, .rtol = rtol, .rms = rms};
  }
  // These limits, `factor` times as wide.
  [[nodiscard]] PrecisionLimits times(double factor) const;
};

// The output's own tolerance, or its dtype's if it has none.
Tolerance tolerance_of(const Output& output);
PrecisionLimits own_limits(const Output& output);

}  // namespace robust_kbench
