#pragma once

namespace robust_kbench {

// The peak rates of GPU 0.
struct GpuPeaks {
  double copy_bytes_per_s = 0;    // read and written by a copy of 256 MiB, measured
  double memory_bytes_per_s = 0;  // from the memory's clock and width, at least the copy's
  // The peak of float32 arithmetic: the greater of two rates. One is that of the SMs' ordinary
  // units. The other is that of tensor cores with three TF32 products, which together have
  // float32's precision.
  double flops_per_s = 0;
  const char* flops_unit = "";  // "float32" or "3xTF32"
};

// Measures at its first call, on an idle GPU. Throws HarnessError where there is no GPU.
const GpuPeaks& gpu_peaks();

}  // namespace robust_kbench
