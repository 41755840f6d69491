#pragma once

namespace robust_kbench {

// Loads what of torch runs on GPUs; every program links only the rest. Throws HarnessError where
// this torch has none, or one of the libraries that it needs is missing. No operator uses TF32
// then, which would put errors of 1e-3 into references and into kernels that call torch's
// operators.
void load_torch_cuda();

// Gives what torch keeps of the GPU's memory for later back to the GPU, for other processes.
void give_back_gpu_memory();

// Whether operators may round the inputs of convolutions to TF32, as torch does by default on a
// GPU. (Matrix products are in full float32 by default, too.)
void allow_tf32(bool allow);

}  // namespace robust_kbench
