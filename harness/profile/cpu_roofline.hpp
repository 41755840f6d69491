#pragma once

#include <optional>
#include <vector>

#include "core/tool_finding.hpp"
#include "device/cpu_peaks.hpp"

namespace robust_kbench {

// A call on the CPU and the least work that it does, by its task.
struct CpuCall {
  double time_us = 0;
  double flops = 0;  // 0 where the task does not tell
  double bytes = 0;
};

// The call beside what these CPUs could do:
//   call_time            of one call, us
//   memory_time          in which a copy moves as many bytes, us
//   arithmetic_time      in which multiply-adds do as many operations, us
//   bandwidth, copy_rate             GB/s, of the call and of the copy
//   flop_rate, multiply_add_rate     GFLOP/s, of the call and of the multiply-adds
//   smallest_call        of a call on the smallest config, us; an upper bound of what any call
//   costs work_ratio           how many times the smallest config's work this one's is
// `smallest` is left out where it is the call itself.
std::vector<ToolFinding> cpu_roofline_findings(const CpuCall& call, const CpuPeaks& peaks,
                                               const std::optional<CpuCall>& smallest);

}  // namespace robust_kbench
