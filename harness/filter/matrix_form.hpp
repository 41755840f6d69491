#pragma once

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// Where a matrix, or each of a batch of them, is not 0.
enum class MatrixForm { dense, lower, upper, diagonal };

// Dense unless it is square. One element is diagonal.
MatrixForm form_of(const at::Tensor& matrix);

// The form of a matrix that has one form in one call and another in the next.
MatrixForm common(MatrixForm a, MatrixForm b);

MatrixForm transposed(MatrixForm form);

bool is_triangular(MatrixForm form);

}  // namespace robust_kbench
