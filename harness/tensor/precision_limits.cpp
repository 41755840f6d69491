#include "tensor/precision_limits.hpp"

namespace robust_kbench {
namespace {

// The tolerances of torch.testing.assert_close, except for float32.
Tolerance usual_tolerance(at::ScalarType dtype) {
  constexpr const char* of_torch = "that of torch.testing.assert_close for the dtype";
  switch (dtype) {
    case at::kFloat:
      return {};
    case at::kDouble:
      return {.atol = 1e-7, .rtol = 1e-7, .reason = of_torch};
    case at::kHalf:
      return {.atol = 1e-5, .rtol = 1e-3, .reason = of_torch};
    case at::kBFloat16:
      return {.atol = 1e-5, .rtol = 1.6e-2, .reason = of_torch};
    default:
      return {.atol = 0, .rtol = 0, .reason = "integers are exact"};
  }
}

}  // namespace

PrecisionLimits PrecisionLimits::times(double factor) const {
  PrecisionLimits wider{.atol = factor * atol, .rtol = factor * rtol, .rms = rms};
  if (wider.rms) wider.rms->most *= factor;
  for (const PrecisionLimits& of_part : parts) {
    wider.parts.push_back(of_part.times(factor));
    wider.parts.back().part = of_part.part;
  }
  return wider;
}

Tolerance tolerance_of(const Output& output) {
  return output.tolerance ? *output.tolerance : usual_tolerance(output.dtype);
}

PrecisionLimits own_limits(const Output& output) {
  const Tolerance tolerance = tolerance_of(output);
  return {.atol = tolerance.atol, .rtol = tolerance.rtol};
}

}  // namespace robust_kbench
