#pragma once

#include <cstdint>
#include <string>

#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The dtype's name in Python, such as "float32".
std::string dtype_name(at::ScalarType dtype);

// The dtype of the tensor. Throws UserError where kernels do not know it, or where it cannot hold
// what the distribution draws.
at::ScalarType dtype_of(const TensorSpec& spec);

// Bytes of the tensor's elements, or 0 where it is absent.
std::uint64_t bytes_of(const TensorSpec& spec);

}  // namespace robust_kbench
