#pragma once

#include <cstdint>
#include <kernel/robust_kbench_abi.h>

// Operations on the elements of CPU tensors, with any strides and any dtype of the table.
namespace robust_kbench {

[[nodiscard]] bool is_contiguous(const rkb_tensor& tensor);

// Copies between tensors of one shape, and converts if the dtypes differ.
void copy_elements(const rkb_tensor& destination, const rkb_tensor& source);
void fill_elements(const rkb_tensor& tensor, double value);

struct Number {
  double real = 0;
  std::int64_t integer = 0;
};
Number first_element(const rkb_tensor& tensor);

}  // namespace robust_kbench
