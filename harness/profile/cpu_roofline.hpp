#pragma once

#include <optional>
#include <vector>

#include "core/tool_finding.hpp"
#include "device/cpu_peaks.hpp"

namespace robust_kbench {

// A call on the CPU with the least work that its task requires.
struct CpuCall {
  double time_us = 0;
  double flops = 0;  // 0 if the task does not tell
  double bytes = 0;
};

// The findings that compare a call with the rates of these CPUs.
//
//   call_time          us, of one call
//   memory_time        us, in which a copy moves as many bytes
//   arithmetic_time    us, in which multiply-adds do as many operations
//   bandwidth          GB/s, of the call
//   copy_rate          GB/s, of the copy
//   flop_rate          GFLOP/s, of the call
//   multiply_add_rate  GFLOP/s, of the multiply-adds
//   smallest_call      us, of a call on the smallest config
//   work_ratio         this config's bytes over those of the smallest one
//
// `smallest` is left out if it is the call itself. Its time is an upper bound of the part of a
// call's time that does not depend on the size.
std::vector<ToolFinding> cpu_roofline_findings(const CpuCall& call, const CpuPeaks& peaks,
                                               const std::optional<CpuCall>& smallest);

}  // namespace robust_kbench
