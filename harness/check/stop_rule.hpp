#pragma once

#include <vector>

#include "check/examiner.hpp"

// Decides when a kernel has failed so often, or at such cost, that it is not called any more.
namespace robust_kbench {

// True if the next case is called after the cases `called`. The third failure ends the run unless
// all cases are asked for. The second costly failure always ends it.
bool calls_next_case(const std::vector<CaseRecord>& called, const ExamineOptions& options);

// True if a sequence of all cases is called after the last case. A costly failure prevents it.
// Three failures prevent it, too, if one of them is graver than nondeterminism.
bool calls_sequence(const std::vector<CaseRecord>& called, const ExamineOptions& options);

}  // namespace robust_kbench
