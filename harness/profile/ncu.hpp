#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/tool_finding.hpp"

namespace robust_kbench {

// One __global__ function of a call, with all its launches.
struct NcuKernel {
  std::string name;  // demangled
  int launches = 0;
  // Metrics by Nsight Compute's names. Counts and durations are sums over the launches. Ratios and
  // percentages are means weighted by duration. Metrics that the GPU or ncu's version lacks are
  // absent.
  std::map<std::string, double> metrics;
};

// Arguments for ncu before the program. They ask for a few dozen metrics by name, which are the
// same in all versions and cost few passes. ncu's --log-file keeps the kernel's own output apart.
std::vector<std::string> ncu_arguments();

// Parses the output of `ncu --csv --page raw --print-units base`. Lines that are not CSV are ncu's
// own messages. Kernels come in the order of first launch, and there are none if the call launches
// none. Throws UserError if the counters may not be read, HarnessError for a log without a table.
std::vector<NcuKernel> parse_ncu(std::string_view log);

// The findings from each kernel's metrics.
std::vector<ToolFinding> ncu_findings(const std::vector<NcuKernel>& kernels);

}  // namespace robust_kbench
