#pragma once

namespace robust_kbench {

// Loads what of torch runs on GPUs; every program links only the rest. Throws HarnessError where
// this torch has none, or one of the libraries that it needs is missing. No operator uses TF32
// then, which would put errors of 1e-3 into references and into kernels that call torch's
// operators.
void load_torch_cuda();

}  // namespace robust_kbench
