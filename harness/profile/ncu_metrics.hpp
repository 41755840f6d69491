#pragma once

#include <span>

// The metrics that Nsight Compute is asked for, and their meanings.
namespace robust_kbench {

enum class Aggregate { sum, mean };

struct NcuMetric {
  const char* name;     // ncu's
  const char* what;     // of its finding; empty: used for other findings
  const char* unit;     // of its finding
  double scale;         // from ncu's base unit
  Aggregate aggregate;  // over launches
  const char* meaning;
};

std::span<const NcuMetric> ncu_metrics();

// A reason why warps wait, measured in cycles of waiting per issued instruction.
struct StallReason {
  const char* name;  // ncu's, between "..._issue_stalled_" and "_per_issue_active.ratio"
  const char* meaning;
};

std::span<const StallReason> stall_reasons();

}  // namespace robust_kbench
