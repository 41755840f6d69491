#pragma once

namespace robust_kbench {

// What the CPUs of usable_cpus() reach together, measured with one thread each.
struct CpuPeaks {
  double copy_bytes_per_s = 0;  // read and written by a copy that fits in no cache
  double flops_per_s = 0;       // float32 multiply-adds in registers, a multiply-add counts 2
};

// Measures at its first call, which takes about half a second of an idle machine.
const CpuPeaks& cpu_peaks();

}  // namespace robust_kbench
