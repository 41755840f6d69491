#pragma once

#include <string>

#include "device/gpu_peaks.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The least time that a GPU needs for the work of one call.
struct Roofline {
  double min_us = 0;  // at peak rates that a good kernel can come near to
  std::string bound;  // which of them: "memory, 2.97 TB/s" or "3xTF32, 178 TFLOP/s"
  // A lower bound for any kernel. It counts the compulsory reads, and the writes that exceed the L2
  // cache, at the memory's full bandwidth. It counts a quarter of the operations, since fast
  // algorithms such as Winograd's need no more multiplications.
  double impossible_us = 0;
};

// `cost` is the task's. `output_bytes` is the part of its bytes that is written.
Roofline roofline(const Cost& cost, double output_bytes, const GpuPeaks& peaks, double l2_bytes);

}  // namespace robust_kbench
