#pragma once

#include <array>
#include <string_view>

namespace robust_kbench {

// A property of the tensors' values that a kernel must cope with, besides the typical data of a
// config.
enum class Probe {
  inputs_times_1000,
  inputs_divided_by_1000,
  weights_scaled,     // 1000 times as large in one call, as small in the next
  gradients_scaled,   // the same for a backward's incoming gradients
  inputs_around_100,  // a mean of 100 with a standard deviation of 1
  constant_rows,      // small integers, equal along a row or 0, whose sums are exact in any order
  large_logits,       // differences of hundreds, whose exponentials exceed float32's range
  ties,               // equal elements, and zeros of both signs
  repeated_row,       // one row at least 512 times, so that its errors do not average out in a mean
  general_weights,    // weights and biases that are neither 0 nor 1
  late_weights,       // weights that are constant at first and vary after a while
  nan_and_infinity,
};

inline constexpr std::array all_probes{
    Probe::inputs_times_1000, Probe::inputs_divided_by_1000,
    Probe::weights_scaled,    Probe::gradients_scaled,
    Probe::inputs_around_100, Probe::constant_rows,
    Probe::large_logits,      Probe::ties,
    Probe::repeated_row,      Probe::general_weights,
    Probe::late_weights,      Probe::nan_and_infinity,
};

constexpr std::string_view to_string(Probe probe) {
  switch (probe) {
    case Probe::inputs_times_1000:
      return "inputs_times_1000";
    case Probe::inputs_divided_by_1000:
      return "inputs_divided_by_1000";
    case Probe::weights_scaled:
      return "weights_scaled";
    case Probe::gradients_scaled:
      return "gradients_scaled";
    case Probe::inputs_around_100:
      return "inputs_around_100";
    case Probe::constant_rows:
      return "constant_rows";
    case Probe::large_logits:
      return "large_logits";
    case Probe::ties:
      return "ties";
    case Probe::repeated_row:
      return "repeated_row";
    case Probe::general_weights:
      return "general_weights";
    case Probe::late_weights:
      return "late_weights";
    case Probe::nan_and_infinity:
      return "nan_and_infinity";
  }
  return "unknown";
}

}  // namespace robust_kbench
