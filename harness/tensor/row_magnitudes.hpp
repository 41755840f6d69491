#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tensor/workload.hpp"

// The rows of the probe `mixed_rows`.
namespace robust_kbench {

// A magnitude for each row of a workload's tensors. Rows are the tokens of the first floating input
// with three dimensions, and else the indices of the leading one, as images. They do not divide
// what a normalization adds up, where float32 loses terms that are so much smaller than others.
// Tensors with as many indices there have the same magnitudes.
class RowMagnitudes {
 public:
  static constexpr std::array all{1e-3, 1.0, 1e3};
  static std::string name_of(double magnitude);

  RowMagnitudes(const Workload& workload, std::uint64_t seed, c10::Device device);

  // Whether tensors of the shape have such rows.
  [[nodiscard]] bool concern(const std::vector<std::int64_t>& shape) const;
  // The magnitudes, float64, with one element for each row and as many dimensions as the shape,
  // which they must concern.
  [[nodiscard]] at::Tensor of(const std::vector<std::int64_t>& shape) const;

 private:
  std::vector<std::int64_t> m_shape;  // of the first such input up to m_dimension; empty: no rows
  at::Tensor m_magnitudes;
};

}  // namespace robust_kbench
