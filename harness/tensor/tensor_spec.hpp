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

// Whether the tensor is constant in tests of typical data, and drawn from a spread otherwise.
bool has_spread(const TensorSpec& spec);

// The tensor's spec for calls that all have new content: a constant with a spread is drawn from it.
TensorSpec varied(TensorSpec spec);

// The spec of the numbers drawn for the tensor: the spec itself, or the input of its `then`.
TensorSpec drawn_part(TensorSpec spec);

// The spec of one tensor for `calls` calls, which are its first dimension.
TensorSpec for_calls(TensorSpec spec, std::int64_t calls);

// Bytes of the tensor's elements, or 0 where it is absent.
std::uint64_t bytes_of(const TensorSpec& spec);

}  // namespace robust_kbench
