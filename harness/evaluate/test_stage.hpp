#pragma once

#include "evaluate/submission_state.hpp"

namespace robust_kbench {

// Tests the built kernel: each case, all of them in one sequence, and racecheck and synccheck
// beside them. Throws Cancelled once the request's stop is requested, with the records so far in
// the state.
void test(SubmissionState& state);

}  // namespace robust_kbench
