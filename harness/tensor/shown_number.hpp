#pragma once

#include <cstdint>
#include <string>

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// Formats a number as Python does, with the fewest digits that read back as the same double.
std::string shown_number(double value);

// Formats the element at a flat index of a contiguous tensor of float32, float64 or int64. It has
// the fewest digits that read back as the same value of its dtype.
std::string shown_element(const at::Tensor& tensor, std::int64_t flat_index);

}  // namespace robust_kbench
