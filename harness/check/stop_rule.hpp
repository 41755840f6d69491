#pragma once

#include <vector>

#include "check/examiner.hpp"

// When a kernel has failed so often, or so costly, that no more of it is called.
namespace robust_kbench {

// After `called` cases: until the third that failed, unless all cases are asked for, and until the
// second costly one in any case.
bool calls_next_case(const std::vector<CaseRecord>& called, const ExamineOptions& options);

// Whether a sequence of all cases is still called after the last of them: not after a costly one,
// nor where enough failed and one of them by more than nondeterminism.
bool calls_sequence(const std::vector<CaseRecord>& called, const ExamineOptions& options);

}  // namespace robust_kbench
