#include "profile/cpu_roofline.hpp"

#include <algorithm>

namespace robust_kbench {
namespace {

ToolFinding roofline_finding(const char* what, double value, const char* unit,
                             const char* meaning) {
  return {.tool = "roofline", .what = what, .value = value, .unit = unit, .meaning = meaning};
}

}  // namespace

std::vector<ToolFinding> cpu_roofline_findings(const CpuCall& call, const CpuPeaks& peaks,
                                               const std::optional<CpuCall>& smallest) {
  std::vector<ToolFinding> findings{
      roofline_finding("call_time", call.time_us, "us", "of one call, all CPUs together")};
  // Bytes per us are 1e-3 GB/s.
  if (call.bytes > 0) {
    findings.push_back(roofline_finding("memory_time", 1e6 * call.bytes / peaks.copy_bytes_per_s,
                                        "us",
                                        "in which a copy reads and writes the call's least bytes"));
    findings.push_back(
        roofline_finding("bandwidth", 1e-3 * call.bytes / call.time_us, "GB/s",
                         "of the call, which reads and writes at least its tensors"));
    findings.push_back(roofline_finding("copy_rate", 1e-9 * peaks.copy_bytes_per_s, "GB/s",
                                        "of a copy, measured"));
  }
  if (call.flops > 0) {
    findings.push_back(roofline_finding("arithmetic_time", 1e6 * call.flops / peaks.flops_per_s,
                                        "us",
                                        "in which multiply-adds do the call's least operations"));
    findings.push_back(
        roofline_finding("flop_rate", 1e-3 * call.flops / call.time_us, "GFLOP/s", "of the call"));
    findings.push_back(roofline_finding("multiply_add_rate", 1e-9 * peaks.flops_per_s, "GFLOP/s",
                                        "of multiply-adds in registers, measured"));
  }
  if (smallest) {
    const double work = std::max(smallest->bytes, 1.0);
    findings.push_back(roofline_finding(
        "smallest_call", smallest->time_us, "us",
        "of a call on the smallest config: what a call takes whatever its size is at most this"));
    findings.push_back(roofline_finding("work_ratio", call.bytes / work, "times",
                                        "the bytes of the smallest config that this one has"));
  }
  return findings;
}

}  // namespace robust_kbench
