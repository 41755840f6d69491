#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tensor/workload.hpp"

// Kernels of other arithmetic than torch's float32, in plain ATen on the CPU.
namespace robust_kbench {

// What a kernel returns for the tensors of a call.
using Computed = std::function<std::vector<at::Tensor>(const Workload&, const Tensors&)>;

struct Arithmetic {
  std::string name;
  Computed compute;
};

// Inputs rounded to fewer bits, and all else exact: no kernel of the arithmetic is more precise.
Arithmetic in_bfloat16();
Arithmetic in_float16();
Arithmetic in_tf32();

// Matrices as the sum of two numbers of bfloat16, and all else exact.
Arithmetic in_two_parts();

// Products of matrices of three parts of bfloat16 each, added in float32. Forward of a linear
// layer.
Arithmetic in_three_parts();

// One addition after another in float32, of up to 4096 terms, and then of their sums. Known for the
// entries that has_plain_loop() says.
Arithmetic in_plain_loops();
bool has_plain_loop(const std::string& entry);

}  // namespace robust_kbench
