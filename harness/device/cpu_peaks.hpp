#pragma once

namespace robust_kbench {

// The peak rates that the CPUs of usable_cpus() reach together, measured with one thread on each.
struct CpuPeaks {
  double copy_bytes_per_s = 0;  // read and written by a copy that fits in no cache
  double flops_per_s = 0;       // float32 multiply-adds in registers, each counted as 2
};

// Measures at its first call, which takes about half a second on an idle machine.
const CpuPeaks& cpu_peaks();

}  // namespace robust_kbench
