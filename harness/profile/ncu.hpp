#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/tool_finding.hpp"

namespace robust_kbench {

// One __global__ function of a call, all its launches together.
struct NcuKernel {
  std::string name;  // demangled
  int launches = 0;
  // By Nsight Compute's names. Counts and durations are sums over the launches, ratios and
  // percentages means weighted by duration. What the GPU or the version lacks is absent.
  std::map<std::string, double> metrics;
};

// What to give to ncu before the program. A few dozen metrics by name, since these are the same in
// all versions and cost few passes. Its --log-file keeps the kernel's own output apart.
std::vector<std::string> ncu_arguments();

// Reads what `ncu --csv --page raw --print-units base` writes; lines that are no CSV are ncu's own
// messages. In the order of first launch; empty where the call launches no kernel. Throws UserError
// where the counters may not be read, HarnessError for a log without a table.
std::vector<NcuKernel> parse_ncu(std::string_view log);

// What each kernel's metrics say.
std::vector<ToolFinding> ncu_findings(const std::vector<NcuKernel>& kernels);

}  // namespace robust_kbench
