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
  outlier,              // one element of 1e5 and one of -1e5 in each input and gradient
  mixed_rows,           // rows of 1e-3, 1 and 1000 times the usual size in one tensor
  masked,               // some elements at -1e9 and at the lowest finite number, as masks make them
  near_ties,            // elements that differ by a few ulp, and large terms whose sums are tiny
  permuted,             // the values of an earlier call in another order
  inputs_around_10000,  // a mean of 10000 with a standard deviation of 1
};

inline constexpr std::array all_probes{
    Probe::inputs_times_1000,
    Probe::inputs_divided_by_1000,
    Probe::weights_scaled,
    Probe::gradients_scaled,
    Probe::inputs_around_100,
    Probe::constant_rows,
    Probe::large_logits,
    Probe::ties,
    Probe::repeated_row,
    Probe::general_weights,
    Probe::late_weights,
    Probe::nan_and_infinity,
    Probe::outlier,
    Probe::mixed_rows,
    Probe::masked,
    Probe::near_ties,
    Probe::permuted,
    Probe::inputs_around_10000,
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
    case Probe::outlier:
      return "outlier";
    case Probe::mixed_rows:
      return "mixed_rows";
    case Probe::masked:
      return "masked";
    case Probe::near_ties:
      return "near_ties";
    case Probe::permuted:
      return "permuted";
    case Probe::inputs_around_10000:
      return "inputs_around_10000";
  }
  return "unknown";
}

}  // namespace robust_kbench
