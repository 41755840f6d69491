#pragma once

#include <string>
#include <vector>

#include "core/example.hpp"
#include "tensor/precision_limits.hpp"
#include <robust_kbench/task.hpp>

// The messages of compare() for two tensors that differ, in the words of
// torch.testing.assert_close.
namespace robust_kbench {

// Describes the first difference in dtype, device, shape or strides. Empty if all agree.
std::string attribute_mismatch(const Output& output, const at::Tensor& actual,
                               const at::Tensor& expected);

// Counts and places the elements that differ, then quotes the examples. Both tensors must be
// contiguous and of one shape.
std::string value_mismatch(const std::string& name, const at::Tensor& actual,
                           const at::Tensor& expected, const PrecisionLimits& limits,
                           const std::vector<Example>& examples);

}  // namespace robust_kbench
