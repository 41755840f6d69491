#pragma once

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// The nonzero part of a matrix, or of each of a batch of matrices.
enum class MatrixForm { dense, lower, upper, diagonal };

// Dense unless it is square. One element is diagonal.
MatrixForm form_of(const at::Tensor& matrix);

// The form that covers both, for a matrix with different forms in two calls.
MatrixForm common(MatrixForm a, MatrixForm b);

MatrixForm transposed(MatrixForm form);

bool is_triangular(MatrixForm form);

}  // namespace robust_kbench
