#pragma once

namespace robust_kbench {

// How fast GPU 0 can be at best.
struct GpuPeaks {
  double copy_bytes_per_s = 0;    // read and written by a copy of 256 MiB, measured
  double memory_bytes_per_s = 0;  // of the memory's clock and width
  // Of float32 arithmetic: by the SMs' ordinary units, and by tensor cores in three TF32 products,
  // which together have float32's precision. The greater one.
  double flops_per_s = 0;
  const char* flops_unit = "";  // "float32" or "3xTF32"
};

// Measures at its first call, on an idle GPU. Throws HarnessError where there is no GPU.
const GpuPeaks& gpu_peaks();

}  // namespace robust_kbench
